import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readScrape, type Scrape } from '../support/exposition.ts'
import { root } from '../support/product-process.ts'
import { eventually, startTestProduct, type TestProduct } from '../support/product.ts'
import { NO_PROMETHEUS } from '../support/prometheus.ts'
import { startStripeDouble, type StripeDouble } from '../support/stripe-double.ts'

const UNFINISHED = 'placard_jobs_oldest_unfinished_seconds'

/** Series of Prometheus: they keep their value for an hour, by names with labels. */
type Series = readonly (readonly [series: string, value: number])[]

describe.skipIf(NO_PROMETHEUS !== null)(`the alerts of jobs${NO_PROMETHEUS === null ? '' : ` (${NO_PROMETHEUS})`}`, () => {
  let folder = ''
  let product: TestProduct
  let stripe: StripeDouble
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'placard-alerts-'))
    stripe = await startStripeDouble()
    const { secretKey, webhookSecret, url } = stripe
    product = await startTestProduct({
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_double0123456789',
      STRIPE_API_URL: url,
      LOG_LEVEL: 'silent',
    })
  })
  afterAll(async () => {
    await product.stop()
    await stripe.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const scraped = async (): Promise<Scrape> => readScrape(await (await fetch(`${product.base}/metrics`)).text())
  const seriesOf = ({ samples }: Scrape): Series =>
    samples
      .filter(({ name, value }) => name === UNFINISHED && Number.isFinite(value))
      .map(({ name, labels, value }) => [`${name}{job="placard", instance="a", kind="${labels['kind']}"}`, value])

  /** Whether promtool agrees that exactly these alerts fire, by name and kind, while the series have these values. */
  async function fires(series: Series, alerts: readonly (readonly [alert: string, kind: string])[]): Promise<string> {
    const file = join(folder, 'alerts.test.json')
    const tests = [
      {
        interval: '1m',
        input_series: series.map(([name, value]) => ({ series: name, values: `${value}x60` })),
        promql_expr_test: [
          {
            expr: 'sum by (alertname, kind) (ALERTS{alertstate="firing", kind!=""})',
            eval_time: '30m',
            exp_samples: alerts.map(([alertname, kind]) => ({ labels: `{alertname="${alertname}", kind="${kind}"}`, value: 1 })),
          },
        ],
      },
    ]
    // JSON is YAML.
    await writeFile(file, JSON.stringify({ rule_files: [join(root, 'deploy/alerts.yml')], evaluation_interval: '1m', tests }))
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
    return status === 0 ? 'as expected' : `${stdout}${stderr}`
  }

  it('the alerts of jobs fire for a payment that fails for ever, and not before', async () => {
    expect(await fires(seriesOf(await scraped()), [])).toBe('as expected')
    const ada = await product.as('ada@nile.example')
    const { data: setup } = await ada.call<{ setup_id: string }>('GET', '/v1/payment-method/add')
    const provider_method_id = stripe.confirmSetup(setup.setup_id, 'pm_card_visa')
    const card = await ada.call<{ id: string }>('POST', '/v1/payment-method', { setup_id: setup.setup_id, provider_method_id })
    stripe.fault(/^POST \/v1\/payment_intents$/, { status: 500, type: 'api_error' })
    await ada.call('POST', '/v1/payment/refill', { amount: 50, payment_method_id: card.data.id })
    const { pool } = product.database
    // A minute later the policies take the payment up, and fail again and again.
    const payments = `from app.jobs where kind = 'payment'`
    await pool.query(`update app.jobs set run_at = now() where kind = 'payment'`)
    await eventually(
      () => pool.query(`select ${payments} and error is not null and leased_until is null`),
      ({ rowCount }) => rowCount === 1,
    )
    await pool.query(`update app.jobs set created_at = created_at - interval '20 minutes' where kind = 'payment'`)
    expect(await fires(seriesOf(await scraped()), [['PlacardPaymentsLate', 'payment']])).toBe('as expected')
  })

  it('the alerts of jobs fire for each kind of job that is not finished for an hour', async () => {
    const kinds = seriesOf(await scraped()).map(([name]) => /kind="([^"]+)"/.exec(name)?.[1] ?? '')
    expect(kinds.length).toBeGreaterThan(6)
    const alertOf = (kind: string) => (kind.startsWith('payment') ? 'PlacardPaymentsLate' : 'PlacardJobsUnfinished')
    const old = kinds.map((kind) => [`${UNFINISHED}{job="placard", instance="a", kind="${kind}"}`, 3600] as const)
    // The alert of mails has no kind: its rule is of one.
    const others = kinds.filter((kind) => kind !== 'mail')
    expect(
      await fires(
        old,
        others.map((kind) => [alertOf(kind), kind] as const),
      ),
    ).toBe('as expected')
  })
})
