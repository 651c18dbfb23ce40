import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { PaymentMethodRecord, RefillAnswer } from '#contract/payments'
import { derivedId } from '#platform/ids'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { eventually, startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { startStripeDouble, type Fault, type StripeDouble, type Webhook } from '../support/stripe-double.ts'

/** Effect of one payment, one customer or one request at Stripe, without the others. */

type Ledger = { readonly data: readonly { readonly type: string; readonly amount: number }[] }

const OPEN = /^POST \/v1\/payment_intents$/
const READ = /^GET \/v1\/payment_intents\/\w+$/
const CONFIRM = /^POST \/v1\/payment_intents\/\w+\/confirm$/
const SETUP = /^POST \/v1\/setup_intents$/

describe('a fault at Stripe', () => {
  let product: TestProduct
  let stripe: StripeDouble
  let ada: Session
  let bola: Session
  let nile = ''
  let card = ''
  beforeAll(async () => {
    stripe = await startStripeDouble()
    const { secretKey, webhookSecret, url } = stripe
    product = await startTestProduct({
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_double0123456789',
      STRIPE_API_URL: url,
      LOG_LEVEL: 'silent',
      ...DELIVERED,
    })
    ada = await product.as('ada@nile.example')
    bola = await product.as('bola@lagos.example')
    nile = (await ada.call<{ space_id: string }>('GET', '/v1/user/me')).data.space_id
    card = (await addCard(ada)).id
  })
  afterAll(async () => {
    await product.stop()
    await stripe.stop()
  })
  afterEach(() => {
    for (const request of [OPEN, READ, CONFIRM, SETUP]) stripe.fault(request, null)
  })

  async function addCard(session: Session, testId = 'pm_card_visa') {
    const { data } = await session.call<{ setup_id: string }>('GET', '/v1/payment-method/add')
    const provider_method_id = stripe.confirmSetup(data.setup_id, testId)
    const body = { setup_id: data.setup_id, provider_method_id }
    const added = await session.call<PaymentMethodRecord>('POST', '/v1/payment-method', body)
    expect(added).toMatchObject({ code: 0 })
    return added.data
  }
  const refill = (amount: number, payment_method_id = card, key?: string) =>
    ada.call<RefillAnswer & { failure_code: string }>(
      'POST',
      '/v1/payment/refill',
      { amount, payment_method_id },
      key === undefined ? {} : { 'idempotency-key': key },
    )
  const movements = async () => {
    const { data } = (await ada.call<Ledger>('POST', `/v1/space/${nile}/ledger`, { page_size: 100 })).data
    return data.filter(({ type }) => /^(refill|refund|dispute)/.test(type)).map(({ type, amount }) => [type, amount])
  }
  const away = async () => {
    const response = await fetch(`${product.base}/health/ready`)
    return ((await response.json()) as { away: readonly string[] }).away
  }
  const send = ({ body, signature }: Webhook) =>
    fetch(`${product.base}/v1/payment/stripe/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body,
    })
  const query = async <T>(text: string, values: readonly unknown[] = []) =>
    (await product.database.pool.query(text, [...values])).rows as readonly T[]
  /** Payments that wait for a job. */
  const tasks = () =>
    query<{ payment_id: string; tries: number; wait: number }>(
      `select key as payment_id, case when leased_until is null then tries else -1 end as tries,
         extract(epoch from run_at - clock_timestamp())::float8 as wait
       from app.jobs where kind = 'payment'`,
    )
  const dueNow = () => query(`update app.jobs set run_at = clock_timestamp() where kind = 'payment'`)
  const openWebhooks = (id: string) =>
    query<{ tries: number }>(`select tries from app.jobs where kind = 'payment-webhook' and key like $1`, [id])
  const lastIntent = () => stripe.intents().at(-1) ?? ''

  it.each<[string, RegExp, Fault]>([
    ['500 to a new payment', OPEN, { status: 500, type: 'api_error' }],
    ['403 to a new payment', OPEN, { status: 403, type: 'invalid_request_error', code: 'more_permissions_required' }],
    ['a parameter that it does not know', OPEN, { status: 400, type: 'invalid_request_error', code: 'parameter_unknown' }],
    ['a currency that the account lacks', OPEN, { status: 400, type: 'invalid_request_error', code: 'currency_not_supported' }],
    ['a limit of requests', OPEN, { status: 429, type: 'invalid_request_error', code: 'rate_limit' }],
    ['500 to a confirmation', CONFIRM, { status: 500, type: 'api_error' }],
    ['500 after the money was taken', CONFIRM, { status: 500, type: 'api_error', done: true }],
    ['400 to a read', READ, { status: 400, type: 'invalid_request_error', code: 'parameter_unknown' }],
    ['409 to a confirmation', CONFIRM, { status: 409, type: 'invalid_request_error', code: 'lock_timeout' }],
  ])(
    'a fault at Stripe that answers %s answers 503, leaves other accounts alone, and a repeat takes the money once',
    async (name, request, fault) => {
      const key = derivedId('key', name)
      const before = (await movements()).length
      stripe.fault(request, fault)
      const refused = await refill(17, card, key)
      expect(refused).toMatchObject({ status: 503, code: 1 })
      expect(refused.headers.get('retry-after')).not.toBeNull()
      expect(await bola.call('GET', '/v1/payment-method/add')).toMatchObject({ status: 200, code: 0 })
      expect(await away()).not.toContain('payments')
      stripe.fault(request, null)
      // Stripe keeps its own fault under the idempotency key of the first attempt.
      const again = await eventually(
        () => refill(17, card, key),
        ({ status }) => status === 200,
      )
      expect(again.data).toMatchObject({ status: 'succeeded', failure_code: null })
      expect((await movements()).length).toBe(before + 1)
    },
  )

  it('a payment that goes on failing is tried with growing pauses, alone', async () => {
    stripe.fault(OPEN, { status: 429, type: 'invalid_request_error', code: 'rate_limit' })
    for (let n = 0; n < 5; n += 1) expect((await refill(13 + n)).status).toBe(503)
    await dueNow()
    const asked = stripe.asked('POST /v1/payment_intents')
    /** The longest pause of each that was seen after its second try, seconds. */
    const pauses = new Map<string, number>()
    const seen = async () => {
      const all = await tasks()
      for (const { payment_id: id, tries, wait } of all) if (tries >= 2) pauses.set(id, Math.max(wait, pauses.get(id) ?? 0))
      return all
    }
    await eventually(seen, (all) => all.length === 5 && all.every(({ tries }) => tries >= 2))
    expect(stripe.asked('POST /v1/payment_intents') - asked).toBeLessThanOrEqual(15)
    expect([...pauses.values()].map((seconds) => seconds > 2)).toEqual([true, true, true, true, true])
    stripe.fault(OPEN, null)
    await dueNow()
    // Their user does not wait for them any more: no money moves.
    await eventually(tasks, (all) => all.length === 0)
  })

  it('a fault at Stripe that names a time to wait is not asked before', async () => {
    stripe.fault(OPEN, { status: 429, type: 'invalid_request_error', code: 'rate_limit', headers: { 'retry-after': '120' } })
    expect((await refill(11)).status).toBe(503)
    await dueNow()
    await eventually(tasks, (all) => all.some(({ wait }) => wait > 100))
    stripe.fault(OPEN, null)
    await dueNow()
    await eventually(tasks, (all) => all.length === 0)
  })

  it('a fault at Stripe answered with 400 to the read of a webhook keeps the webhook and the money', async () => {
    expect((await refill(20)).data.status).toBe('succeeded')
    const before = (await movements()).length
    stripe.refund(lastIntent(), 500)
    stripe.fault(READ, { status: 400, type: 'invalid_request_error', code: 'parameter_unknown' })
    expect((await send(stripe.webhook('charge.refunded', lastIntent(), { id: 'evt_kept' }))).status).toBe(200)
    await eventually(
      () => openWebhooks('evt_kept'),
      ([one]) => (one?.tries ?? 0) > 0,
    )
    stripe.fault(READ, null)
    await eventually(movements, (rows) => rows.length === before + 1)
  })

  it('never gives a pending payment up, but a payment that Stripe does not know is over', async () => {
    const asks = await addCard(ada, 'pm_card_authenticationRequired')
    const { data } = await refill(30, asks.id)
    expect(data.status).toBe('requires_action')
    stripe.fault(READ, { status: 400, type: 'invalid_request_error', code: 'parameter_unknown' })
    await dueNow()
    await eventually(tasks, (all) => all.some(({ payment_id, tries }) => payment_id === data.id && tries > 0))
    stripe.fault(READ, null)
    const status = async () => (await ada.call<RefillAnswer>('GET', `/v1/payment/refill/${data.id}`)).data.status
    expect(await status()).toBe('requires_action')
    await dueNow()
    // Read once, and still waiting for its user.
    await eventually(tasks, (all) =>
      all.some(({ payment_id, tries, wait }) => payment_id === data.id && tries === 0 && wait > 30),
    )
    expect(await status()).toBe('requires_action')
    stripe.fault(READ, { status: 404, type: 'invalid_request_error', code: 'resource_missing' })
    await dueNow()
    await eventually(status, (now) => now === 'failed')
  })

  it('a refund that fails later comes back to the balance, once', async () => {
    expect((await refill(40)).data.status).toBe('succeeded')
    const intent = lastIntent()
    const refund = stripe.refund(intent, 1000)
    expect((await send(stripe.webhook('charge.refunded', intent))).status).toBe(200)
    await eventually(movements, ([first]) => first?.[0] === 'refund')
    stripe.failRefund(refund)
    for (let n = 0; n < 2; n += 1) expect((await send(stripe.webhook('refund.failed', intent))).status).toBe(200)
    await eventually(movements, ([first]) => first?.[0] === 'refund_reversed')
    await eventually(
      () => openWebhooks('%'),
      (rows) => rows.length === 0,
    )
    expect((await movements()).filter(([type]) => type === 'refund_reversed')).toEqual([['refund_reversed', 10]])
    type History = { data: readonly { readonly status: string; readonly refunded: number }[] }
    expect((await ada.call<History>('GET', '/v1/payment/history')).data.data[0]).toMatchObject({
      status: 'succeeded',
      refunded: 0,
    })
  })

  it('a webhook of a payment that another system made is done, and changes nothing', async () => {
    const before = await movements()
    const { id } = stripe.foreignIntent()
    expect((await send(stripe.webhook('payment_intent.succeeded', id, { id: 'evt_foreign' }))).status).toBe(200)
    await eventually(
      () => openWebhooks('evt_foreign'),
      (open) => open.length === 0,
    )
    expect(await movements()).toEqual(before)
  })

  it('a customer that Stripe no longer knows is made again; its cards are named as unknown, not as declined', async () => {
    stripe.deleteCustomers()
    expect(await refill(60)).toMatchObject({ status: 409, code: 142, data: { failure_code: 'card_unknown' } })
    const added = await addCard(ada)
    // The same number: the card of before, with its references renewed.
    expect(added.id).toBe(card)
    expect((await refill(60)).data.status).toBe('succeeded')
  })

  it('a Stripe that takes 7 s to answer, with 1,000 webhooks due, delays the stop of a campaign by less than 2 s', async () => {
    const { running, send: deliver, status } = await deliveryIn(product)
    const [quiet, slow] = [await running({ budget: 10, budget_type_key: 2 }), await running({ budget: 10, budget_type_key: 2 })]
    /** From the answer to the batch that reached the budget until the campaign shows as stopped, milliseconds. */
    async function stopAfter(id: string): Promise<number> {
      const row = { hour: hour(), campaign_id: id, impressions: 100, spent: 10 }
      expect((await deliver(`reaches ${id}`, [row])).code).toBe(0)
      const began = performance.now()
      await status(id, 31)
      return performance.now() - began
    }
    const before = await stopAfter(quiet)
    expect(await refill(60)).toMatchObject({ status: 200 })
    const read = () => stripe.asked(`GET /v1/payment_intents/${lastIntent()}`)
    const asked = read()
    stripe.fault(READ, { afterMs: 7000 })
    await query(
      `insert into app.jobs (kind, key, payload)
       select 'payment-webhook', 'slow ' || n, jsonb_build_object('v', '1', 'provider_payment_id', $1::text)
       from generate_series(1, 1000) as n`,
      [lastIntent()],
    )
    await eventually(
      async () => read(),
      (now) => now - asked >= 5,
    )
    expect(await stopAfter(slow)).toBeLessThan(before + 2000)
    expect(await openWebhooks('slow %')).not.toEqual([])
    await query(`delete from app.jobs where key like 'slow %'`)
  })
})

it('keys of the live mode use no customers and cards of the test mode', async () => {
  const test = await startStripeDouble()
  const live = await startStripeDouble({ secretKey: 'sk_live_double0123456789abcdef' })
  const envOf = ({ secretKey, webhookSecret, url }: StripeDouble) => ({
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: url,
    LOG_LEVEL: 'silent',
  })
  const first = await startTestProduct(envOf(test))
  const second: TestProduct[] = []
  try {
    const cardsOf = async (base: TestProduct) =>
      (await (await base.as('ada@nile.example')).call<{ paymentMethods: readonly { id: string }[] }>('GET', '/v1/payment-method'))
        .data.paymentMethods
    const add = async (one: TestProduct, stripe: StripeDouble) => {
      const ada = await one.as('ada@nile.example')
      const setup = await ada.call<{ setup_id: string }>('GET', '/v1/payment-method/add')
      expect(setup).toMatchObject({ status: 200, code: 0 })
      const body = { setup_id: setup.data.setup_id, provider_method_id: stripe.confirmSetup(setup.data.setup_id, 'pm_card_visa') }
      expect(await ada.call('POST', '/v1/payment-method', body)).toMatchObject({ code: 0 })
    }
    await add(first, test)
    // As a build wrote them that did not know modes.
    for (const table of ['cards', 'payment_customers'])
      await first.database.pool.query(`update app.${table} set provider = 'stripe_unknown'`)
    const restart = async (stripe: StripeDouble) => {
      const product = await startTestProduct({
        ...envOf(stripe),
        DATABASE_URL: first.database.url,
        PLACARD_DATA_DIR: first.dataDir,
      })
      second.push(product)
      return product
    }
    const again = await restart(test)
    expect(await cardsOf(again)).toHaveLength(1)
    const inLive = await restart(live)
    expect(await cardsOf(inLive)).toEqual([])
    await add(inLive, live)
    expect(await cardsOf(inLive)).toHaveLength(1)
    expect(live.asked('POST /v1/customers')).toBe(1)
  } finally {
    for (const product of second) await product.stop().catch(() => undefined)
    await first.stop()
    await test.stop()
    await live.stop()
  }
})
