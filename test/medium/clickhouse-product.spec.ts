import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#platform/ids'
import { NO_CLICKHOUSE, OWN_CLICKHOUSE, startTestClickHouse, type TestClickHouse } from '../support/clickhouse/clickhouse.ts'
import { DELIVERED, deliveryIn, hour, SERVICE } from '../support/delivery.ts'
import { eventually, startTestProduct, type TestProduct } from '../support/product.ts'

const TODAY = { from_date: new Date().toISOString().slice(0, 10), to_date: new Date().toISOString().slice(0, 10) }

if (NO_CLICKHOUSE !== null)
  describe('the product with its facts in ClickHouse', () =>
    it.skip(`counts, and outlives an outage (skipped: ${NO_CLICKHOUSE})`, () => {}))
else
  describe('the product with its facts in ClickHouse', () => {
    let clickhouse: TestClickHouse
    let product: TestProduct
    let delivery: Awaited<ReturnType<typeof deliveryIn>>
    let id = ''

    beforeAll(async () => {
      clickhouse = await startTestClickHouse()
      product = await startTestProduct({ ...DELIVERED, FACTS_URL: await clickhouse.create() })
      delivery = await deliveryIn(product)
      id = await delivery.running({ budget: 100 })
    })
    afterAll(async () => {
      await product.stop()
      await clickhouse.stop()
    })

    const send = (spent: number) =>
      delivery.send(newId(), [{ hour: hour(), campaign_id: id, impressions: 1000, clicks: 10, spent, exchange: 'google' }])
    const report = () =>
      delivery.ada.call<{ totals: Record<string, number> }>('POST', '/v1/campaign/report', {
        id,
        ...TODAY,
        metrics: ['impressions', 'spent'],
      })
    const ready = async () => {
      const response = await fetch(`${product.base}/health/ready`)
      return { ...(await response.json()), status: response.status }
    }
    const metrics = async () =>
      (await fetch(`${product.base}/metrics`, { headers: { authorization: `Bearer ${SERVICE}` } })).text()
    const counts = (impressions: number, ms: number) =>
      eventually(report, ({ status, data }) => status === 200 && data.totals['impressions'] === impressions, ms)

    /** Properties of every outage. */
    async function expectOutage(billed: number): Promise<void> {
      await eventually(ready, ({ away }) => away.includes('ClickHouse'))
      expect((await ready()).status).toBe(200)
      expect(await metrics()).toContain('placard_outside_away{name="ClickHouse"} 1')
      const answer = await report()
      expect(answer).toMatchObject({ status: 503, code: 1 })
      expect(answer.headers.get('retry-after')).toBe('1')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      // A file fails before its first line, not in the middle of a download.
      const file = await delivery.ada.call('POST', '/v1/campaign/report/download/traffic-source', { id, ...TODAY })
      expect(file).toMatchObject({ status: 503, code: 1 })
      // Calls that do not need it go on, and money counts.
      expect((await delivery.ada.call('PUT', '/v1/campaign', { id, budget: 100 + billed })).status).toBe(200)
      expect((await delivery.bidder.call('GET', '/v1/delivery/campaigns')).status).toBe(200)
      expect(await send(2)).toMatchObject({ status: 200, data: { repeated: false } })
      const { rows } = await product.database.pool.query(
        'select billed::float8 / 1e6 as billed from app.campaign_spend_totals where campaign_id = $1',
        [id],
      )
      expect(rows).toEqual([{ billed }])
    }

    it('reports what was delivered, and stores no fact in PostgreSQL', async () => {
      expect((await send(1)).status).toBe(200)
      expect((await report()).data.totals).toMatchObject({ impressions: 1000, spent: 1 })
      const { rows } = await product.database.pool.query('select 1 from facts.batches union all select 1 from facts.rows')
      expect(rows).toEqual([])
      expect(await ready()).toEqual({ status: 200, waiting: [], away: [] })
      expect(await metrics()).toContain('placard_outside_away{name="ClickHouse"} 0')
    })

    it.skipIf(!OWN_CLICKHOUSE)('answers 503 while it is down, accepts batches, and counts them when it is back', async () => {
      await clickhouse.kill()
      await expectOutage(3)
      await clickhouse.start()
      expect((await counts(2000, 60_000)).data.totals).toMatchObject({ impressions: 2000, spent: 3 })
      expect((await ready()).away).toEqual([])
    })

    it.skipIf(!OWN_CLICKHOUSE)(
      'answers 503 within seconds while it is frozen, and counts everything once afterwards',
      async () => {
        clickhouse.pause()
        try {
          // Sent before anything is noticed: they wait for an answer that does not come.
          const began = performance.now()
          const [first, batch] = await Promise.all([report(), send(3)])
          expect(first).toMatchObject({ status: 503, code: 1 })
          expect(batch.status).toBe(200)
          expect(performance.now() - began).toBeLessThan(6000)
          await expectOutage(8)
        } finally {
          clickhouse.resume()
        }
        expect((await counts(4000, 60_000)).data.totals).toMatchObject({ impressions: 4000, spent: 8 })
      },
    )
  })
