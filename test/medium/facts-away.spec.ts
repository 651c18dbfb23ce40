import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startClickHouseDouble, type ClickHouseDouble } from '../support/clickhouse/double.ts'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { eventually, startTestProduct, type TestProduct } from '../support/product.ts'

const today = new Date().toISOString().slice(0, 10)
const TODAY = { from_date: today, to_date: today }

/** A product whose ClickHouse goes away, freezes and comes back. */
describe('the product while ClickHouse is away', () => {
  let double: ClickHouseDouble
  let product: TestProduct
  let campaign = ''
  let delivery: Awaited<ReturnType<typeof deliveryIn>>
  beforeAll(async () => {
    double = await startClickHouseDouble()
    product = await startTestProduct({ ...DELIVERED, FACTS_URL: double.url, LOG_LEVEL: 'silent' })
    delivery = await deliveryIn(product)
    campaign = await delivery.running()
  })
  afterAll(async () => {
    await product.stop()
    await double.leave()
  })

  const report = () => delivery.ada.call('POST', '/v1/campaign/report', { id: campaign, ...TODAY, metrics: ['spent'] })
  const ready = async () => {
    const response = await fetch(`${product.base}/health/ready`)
    const body: { readonly status: string; readonly away: readonly string[] } = await response.json()
    return { http: response.status, ...body }
  }
  const metric = async () =>
    /placard_outside_away\{name="ClickHouse"\} (\d)/.exec(await (await fetch(`${product.base}/metrics`)).text())?.[1]
  const timed = async <T>(work: () => Promise<T>) => {
    const begin = performance.now()
    return { answer: await work(), ms: performance.now() - begin }
  }

  it('answers 503 with Retry-After and goes on with what does not need it', async () => {
    expect((await report()).status).toBe(200)
    expect(await metric()).toBe('0')
    await double.leave()
    const { answer, ms } = await timed(report)
    expect(answer).toMatchObject({ status: 503, code: 1 })
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    // A file fails before its first line, not in the middle of a download.
    const file = await delivery.ada.call('POST', '/v1/campaign/report/download/traffic-source', { id: campaign, ...TODAY })
    expect(file).toMatchObject({ status: 503, code: 1 })
    expect(ms).toBeLessThan(10_000)
    expect(await ready()).toMatchObject({ http: 200, status: 'degraded', away: ['ClickHouse'] })
    expect(await metric()).toBe('1')
    expect((await delivery.ada.call('GET', '/v1/user/me')).status).toBe(200)
    await double.come()
    await eventually(ready, ({ away }) => away.length === 0)
    expect((await report()).status).toBe(200)
  })

  it('leaves figures out of lists and of a campaign, which can still be found, opened and paused', async () => {
    await double.leave()
    type Listed = { data: readonly { id: string; clicks: number | null; budget_spent: number; report_data: object }[] }
    const list = (body: object) => delivery.ada.call<Listed>('POST', '/v1/campaign/list/v2', { page_size: 50, ...body })
    for (const body of [{}, { sort_by_field: 'spent', order_asc: false }]) {
      const listed = await list(body)
      expect(listed).toMatchObject({ status: 200, code: 0 })
      expect(listed.data.data.find(({ id }) => id === campaign)).toMatchObject({
        clicks: null,
        budget_spent: expect.any(Number),
        report_data: { cpa: null, cvr: null },
      })
    }
    const trends = () => delivery.ada.call('POST', '/v1/campaign/list/trends', { ids: [campaign], metric: 'clicks' })
    expect(await trends()).toMatchObject({ status: 200, data: { trends: [{ id: campaign, values: null }] } })
    expect(await delivery.ada.call('GET', `/v1/campaign/${campaign}`)).toMatchObject({
      status: 200,
      data: { impressions: null, clicks: null, budget_spent: expect.any(Number) },
    })
    expect((await delivery.ada.call('POST', '/v1/campaign/pause', campaign)).code).toBe(0)
    await double.come()
    await eventually(ready, ({ away }) => away.length === 0)
    expect((await delivery.ada.call('POST', '/v1/campaign/run', campaign)).code).toBe(0)
    expect((await list({})).data.data.find(({ id }) => id === campaign)?.clicks).toEqual(expect.any(Number))
  })

  it('counts as away three seconds after it froze, and calls in progress are answered', async () => {
    double.behave({ kind: 'frozen' })
    const { answer, ms } = await timed(report)
    expect(answer).toMatchObject({ status: 503, code: 1 })
    expect(ms).toBeLessThan(5000)
    expect((await ready()).away).toEqual(['ClickHouse'])
    expect((await timed(report)).ms).toBeLessThan(500)
    double.behave({ kind: 'works' })
    await eventually(ready, ({ away }) => away.length === 0)
  })

  it.each([
    { cause: 'is too busy', code: 252, type: 'TOO_MANY_PARTS' },
    { cause: 'has another password now', code: 516, type: 'AUTHENTICATION_FAILED' },
  ])('answers 503 and is not away when the server $cause', async ({ code, type }) => {
    double.behave({ kind: 'refuses', code, type })
    expect(await report()).toMatchObject({ status: 503, code: 1 })
    expect((await ready()).away).toEqual([])
    double.behave({ kind: 'works' })
  })

  it('accepts and bills a batch, and stores its facts once when it is back', async () => {
    await double.leave()
    const stored = double.inserts().length
    const accepted = await delivery.send('away', [{ campaign_id: campaign, hour: hour(), spent: 1 }])
    expect(accepted).toMatchObject({ status: 200, code: 0, data: { rows: 1, repeated: false } })
    await double.come()
    await eventually(
      async () => double.inserts().slice(stored),
      (inserts) => inserts.some((one) => one.includes('fact_batches')),
    )
    expect(
      double
        .inserts()
        .slice(stored)
        .filter((one) => /into facts\b/i.test(one)),
    ).toHaveLength(1)
    // The batch forgets its facts after the store has confirmed them.
    await eventually(
      () => product.database.pool.query('select from app.delivery_batches where facts is not null'),
      ({ rowCount }) => rowCount === 0,
    )
  })
})
