import { beforeAll, describe, expect, it } from 'vitest'
import { publishable, sharedProduct, type Session, type TestProduct } from '../support/product.ts'

const rules = (...all: readonly unknown[]) => ({ condition: 'and', rules: all })
const ios = { field: 'os', operator: 'is', value: 'iOS' }
type Saved = {
  readonly errors: readonly { readonly path: string }[]
  readonly traffic_targeting: string
  readonly warnings: readonly unknown[]
  readonly impressions: readonly unknown[]
}
const request = {
  id: 'r',
  at: 2,
  imp: [
    { id: 'a', banner: { format: [{ w: 300, h: 250 }] } },
    { id: 'b', video: { mimes: ['video/mp4'] } },
  ],
  site: { domain: 'news.example' },
  device: { os: 'iOS', ip: '10.0.0.7' },
}

describe('advanced bidding', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let id = ''
  beforeAll(async () => {
    product = await sharedProduct('external')
    ;[ada, owner] = await Promise.all([product.as('ada@nile.example'), product.as('owner@dsp.example')])
    id = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))).data.id
  })

  const save = (entries: unknown, by = owner) => by.call<Saved>('PUT', '/v1/campaign', { id, traffic_targeting: entries })
  const explain = (by: Session, body: unknown = request) => by.call<Saved>('POST', `/v1/campaign/${id}/bidding/explain`, body)

  // covers CAM-BID-12..15 CAM-BID-50 CAM-ENT-20 CAM-ADM-18
  it('advanced bidding is returned as a list in text, in whichever form it was sent, with negative multipliers as 0', async () => {
    const entries = [{ id: 1, name: 'Bidding 1', multiplier: -2, rules: rules(ios, rules(rules({ ...ios, operator: 'equal' }))) }]
    for (const sent of [entries, JSON.stringify(entries)]) {
      const saved = await save(sent)
      expect(saved.code).toBe(0)
      const { data } = await owner.call<Saved>('GET', `/v1/campaign/${id}`)
      for (const answer of [saved.data, data])
        expect(JSON.parse(answer.traffic_targeting)).toEqual([{ ...entries[0], multiplier: 0 }])
    }
  })

  it.each([
    ['an unknown filter', { ...ios, field: 'moon' }, 'field'],
    ['an operator of another filter', { ...ios, operator: 'is_more_than' }, 'operator'],
    ['a value outside the choices', { ...ios, value: 'BeOS' }, 'value'],
    ['a fraction of a visit', { field: 'visits_1d', operator: 'is', value: 1.5 }, 'value'], // covers CAM-BID-53
    ['a bid floor as text', { field: 'bid_floor', operator: 'is', value: 'x' }, 'value'], // covers CAM-BID-54
    ['an invalid IP range', { field: 'device_ip', operator: 'in_ip_range', value: 'abc' }, 'value'], // covers CAM-BID-52
  ])('refuses %s, and stores nothing', async (_, rule, key) => {
    const before = await product.stored()
    const refused = await save([{ id: 1, name: 'Bidding 1', multiplier: 1, rules: rules(ios, rule) }])
    expect([refused.status, refused.code]).toEqual([400, 2])
    expect(refused.data.errors).toMatchObject([
      { path: `traffic_targeting[1].rules.rules[1].${key}`, code: 2, tab: 'advancedBidding' },
    ])
    expect(await product.stored()).toEqual(before)
  })

  it.each([11, 14, 200])(
    'refuses %i nested groups with the path of the first that is too deep, and stores nothing',
    async (depth) => {
      const before = await product.stored()
      let group = rules(ios)
      for (let level = 1; level < depth; level++) group = rules(group)
      const entries = [{ id: 1, name: 'Bidding 1', multiplier: 1, rules: group }]
      for (const sent of [entries, JSON.stringify(entries)]) {
        const refused = await save(sent)
        expect([refused.status, refused.code]).toEqual([400, 2])
        expect(refused.data.errors.map(({ path }) => path)).toEqual([`traffic_targeting[1].rules${'.rules[0]'.repeat(10)}`])
      }
      expect(await product.stored()).toEqual(before)
    },
  )

  it('explains for each impression of a bid request which entry matches, and why the others do not', async () => {
    await save([
      { id: 1, name: 'Videos', multiplier: 0, rules: rules({ field: 'creative_format', operator: 'is', value: 'video' }) },
      { id: 4, name: 'iPhones', multiplier: 1.5, rules: rules(ios) },
    ])
    const { code, data } = await explain(owner)
    expect(code).toBe(0)
    expect(data.impressions).toMatchObject([
      {
        imp_id: 'a',
        entry: 4,
        multiplier: 1.5,
        bids: true,
        entries: [
          { id: 1, rules: { holds: false, rules: [{ field: 'creative_format', holds: false, actual: ['banner'] }] } },
          { id: 4, rules: { holds: true } },
        ],
      },
      { imp_id: 'b', entry: 1, multiplier: 0, bids: false },
    ])
  })

  it('warns of unreachable entries and contradictory rules, and saves all the same', async () => {
    const saved = await save([
      { id: 1, name: 'All', multiplier: 2, rules: rules() },
      { id: 2, name: 'Both', multiplier: 3, rules: rules(ios, { ...ios, value: 'Android' }) },
    ])
    expect(saved.code).toBe(0)
    expect(saved.data.warnings).toEqual([
      { kind: 'unreachable', entry: 2, path: 'traffic_targeting[2]', by: 1 },
      { kind: 'contradiction', entry: 2, path: 'traffic_targeting[2].rules', field: 'os' },
    ])
  })

  // covers CAM-BID-01
  it('advanced bidding is neither shown to advertisers nor writable by them', async () => {
    const { data } = await owner.call<Saved>('GET', `/v1/campaign/${id}`)
    const answer = await save([], ada)
    expect(answer.code).toBe(0)
    expect(answer.data).not.toHaveProperty('traffic_targeting')
    expect(answer.data).not.toHaveProperty('warnings')
    expect((await owner.call<Saved>('GET', `/v1/campaign/${id}`)).data.traffic_targeting).toBe(data.traffic_targeting)
    expect((await explain(ada)).status).toBe(403)
    expect((await owner.call('POST', '/v1/campaign/nothing/bidding/explain', request)).code).toBe(130)
    expect((await explain(owner, { imp: [] })).code).toBe(2)
  })
})
