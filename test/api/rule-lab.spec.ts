import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DELIVERED, SERVICE } from '../support/delivery.ts'
import { publishable, sessionOf, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

const rules = (...all: readonly unknown[]) => ({ condition: 'and', rules: all })
const os = (value: string) => ({ field: 'os', operator: 'is', value })
const floorOver = (value: number) => ({ field: 'bid_floor', operator: 'is_more_than', value })
const entry = (id: number, multiplier: number, ...all: readonly unknown[]) => ({
  id,
  name: `Bidding ${id}`,
  multiplier,
  rules: rules(...all),
})
const requestOf = (n: number) => ({
  id: `request ${n}`,
  imp: [{ id: '1', banner: { w: 300, h: 250 }, bidfloor: n / 100 }],
  device: { os: n % 4 === 0 ? 'iOS' : 'Android', ip: `198.51.100.${n % 256}` },
  user: { id: `user-${n}` },
})

type Side = {
  readonly matched: number
  readonly bids: number
  readonly average_multiplier: number | null
  readonly entries: readonly { readonly id: number; readonly decided: number }[]
}
type Answer = {
  readonly errors: readonly { readonly path: string }[]
  readonly revision: number
  readonly sample: {
    readonly impressions: number
    readonly oldest_at: string | null
    readonly newest_at: string | null
    readonly enough: boolean
  }
  readonly saved: Side
  readonly unsaved: Side
  readonly impressions: readonly { readonly entry: number | null; readonly multiplier: number }[]
}

describe('the rule lab', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let bidder: Session
  let id = ''
  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    ;[ada, owner] = await Promise.all([product.as('ada@nile.example'), product.as('owner@dsp.example')])
    bidder = sessionOf(product.base, SERVICE)
    id = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))).data.id
    await owner.call('PUT', '/v1/campaign', { id, traffic_targeting: [entry(1, 2, os('iOS'))] })
  })
  afterAll(() => product.stop())

  const clear = () => product.database.pool.query('delete from app.bid_samples')
  const send = async (count: number, from = 0) => {
    for (let n = from; n < from + count; n += 100) {
      const requests = Array.from({ length: Math.min(100, from + count - n) }, (_, i) => requestOf(n + i))
      expect((await bidder.call('POST', '/v1/delivery/bid-requests', { requests })).code).toBe(0)
    }
  }
  const replay = (entries?: unknown, by = owner) =>
    by.call<Answer>('POST', `/v1/campaign/${id}/bidding/replay`, entries === undefined ? {} : { traffic_targeting: entries })
  const explain = (request: object, entries?: unknown) =>
    owner.call<Answer>('POST', `/v1/campaign/${id}/bidding/explain`, {
      ...request,
      ...(entries === undefined ? {} : { traffic_targeting: entries }),
    })

  describe('the rule lab with a sample', () => {
    let began = 0
    beforeAll(async () => {
      await clear()
      began = Date.now()
      await send(200)
    })

    // covers FP-103
    it('says how many impressions saved and unsaved rules match, and what they bid', async () => {
      const { code, data } = await replay([entry(7, 0, floorOver(1.49)), entry(1, 3, os('iOS'))])
      expect(code).toBe(0)
      expect(data.sample).toMatchObject({ impressions: 200, enough: true })
      expect(Date.parse(data.sample.oldest_at ?? '')).toBeGreaterThanOrEqual(began)
      // A quarter of 200 are iPhones: 50 × 2 and 150 × 1.
      expect(data.saved).toMatchObject({ matched: 50, bids: 200, average_multiplier: 1.25 })
      // Floors from 1.50 on get no bid; 38 of the 150 others are iPhones.
      expect(data.unsaved).toMatchObject({ matched: 88, bids: 150, average_multiplier: (38 * 3 + 112) / 150 })
      expect(data.unsaved.entries).toMatchObject([
        { id: 7, decided: 50 },
        { id: 1, decided: 38 },
      ])
    })

    it.each([
      ['nothing', undefined],
      ['the saved rules', [entry(1, 2, os('iOS'))]],
    ])('finds no change in %s', async (_, entries) => {
      const { data } = await replay(entries)
      expect(data.saved.matched).toBe(50)
      expect(data.unsaved).toEqual(data.saved)
    })

    it('explains unsaved rules by a negative multiplier as 0, as a save would store it', async () => {
      const request = requestOf(4)
      expect((await explain(request)).data.impressions).toMatchObject([{ entry: 1, multiplier: 2 }])
      expect((await explain(request, [entry(5, -1, os('iOS'))])).data.impressions).toMatchObject([
        { entry: 5, multiplier: 0, bids: false },
      ])
      expect((await explain(request, null)).data.impressions).toMatchObject([{ entry: null, multiplier: 1 }])
    })

    // covers FP-103
    it.each([
      ['an unknown filter', [entry(1, 1, { ...os('iOS'), field: 'moon' })]],
      ['text that is no list', 'abc'],
    ])('refuses %s as a save does', async (_, entries) => {
      const saved = await owner.call<Answer>('PUT', '/v1/campaign?dry_run=true', { id, traffic_targeting: entries })
      expect(saved.code).toBe(2)
      expect(saved.data.errors.length).toBeGreaterThan(0)
      for (const refused of [await replay(entries), await explain(requestOf(1), entries)]) {
        expect([refused.status, refused.code]).toEqual([saved.status, saved.code])
        expect(refused.data.errors).toEqual(saved.data.errors)
      }
    })

    // covers FP-103
    it('stores nothing', async () => {
      const rows = async () =>
        (
          await product.database.pool.query<{ name: string; rows: string }>(`
            select table_schema || '.' || table_name as name,
              (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I.%I', table_schema, table_name), false, true, '')))[1]::text as rows
            from information_schema.tables
            where table_type = 'BASE TABLE' and table_schema in ('app', 'identity', 'es', 'facts')
              -- The transparency log follows the events by itself.
              and table_name not like 'log\\_%'
            order by 1`)
        ).rows
      const heads = async () =>
        (await product.database.pool.query('select stream_id, max(version) as head from es.events group by 1 order by 1')).rows
      const before = [await product.stored(), await heads(), await rows()]
      expect((await replay([entry(9, 4)])).code).toBe(0)
      expect((await explain(requestOf(1), [entry(9, 4)])).code).toBe(0)
      expect([await product.stored(), await heads(), await rows()]).toEqual(before)
    })

    // covers FP-103
    it('measuring rules with a sample is for those who may read the rules', async () => {
      expect((await replay([], ada)).status).toBe(403)
      expect((await replay([], await product.as('moderator@dsp.example'))).code).toBe(0)
      expect((await owner.call('POST', '/v1/campaign/nothing/bidding/replay', {})).code).toBe(130)
      expect((await owner.call('POST', '/v1/delivery/bid-requests', { requests: [requestOf(1)] })).status).toBe(403)
    })
  })

  describe('a sample of impressions', () => {
    beforeEach(clear)

    // covers FP-103
    it('says that there is none, and that 49 impressions are too few', async () => {
      expect((await replay([])).data.sample).toEqual({ impressions: 0, oldest_at: null, newest_at: null, enough: false })
      expect((await replay([])).data.unsaved).toMatchObject({ matched: 0, average_multiplier: null })
      await send(49)
      expect((await replay([])).data.sample).toMatchObject({ impressions: 49, enough: false })
      await send(1)
      expect((await replay([])).data.sample).toMatchObject({ impressions: 50, enough: true })
    })

    // covers FP-103
    it('a sample of impressions has no addresses and users', async () => {
      await send(2)
      const { rows } = await product.database.pool.query<{ facts: object }>('select facts from app.bid_samples order by id')
      expect(rows).toMatchObject([{ facts: { bid_floor: 0, device_ip: '198.51.100.0' } }, { facts: { bid_floor: 0.01 } }])
      expect(JSON.stringify(rows)).not.toMatch(/user-|request /)
    })
  })
})
