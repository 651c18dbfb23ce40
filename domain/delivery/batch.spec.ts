import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  batchFaults,
  bill,
  dayOf,
  unlikelyMeasures,
  hasServedIn,
  readHour,
  type BilledBefore,
  type DeliveredCampaign,
  type DeliveryRow,
} from './batch.ts'

const HOUR_MS = 3_600_000
const FIRST = Date.UTC(2026, 10, 1)

const campaign = (overrides: Partial<DeliveredCampaign> = {}): DeliveredCampaign => ({
  id: 'campaign-1',
  space_id: 'space-1',
  whitelabel_id: 'dsp',
  budget: 1_000_000,
  budget_type_key: 2,
  timezone_offset_seconds: 0,
  served: [{ from: '2026-11-01T10:30:00.000Z', to: '2026-11-01T12:00:00.000Z' }],
  ...overrides,
})

const row = (overrides: Partial<DeliveryRow> = {}): DeliveryRow => ({
  hour: '2026-11-01T10:00:00.000Z',
  campaign_id: 'campaign-1',
  creative_id: 'creative-1',
  size: '300x250',
  exchange: 'google',
  publisher: 'news',
  app_or_site: 'news.example',
  device_type_key: 3,
  os: 'Android',
  country: 'NG',
  region: 'Lagos',
  city: 'Lagos',
  impressions: 10,
  clicks: 1,
  conversions: 0,
  unique_conversions: 0,
  conversions_unique_bid: 0,
  bids: 20,
  reach: 9,
  bounces: 0,
  engagements: 2,
  completed_views: 0,
  unconfirmed_conversions: 0,
  spent: 100,
  ...overrides,
})

const mapOf = (...all: readonly DeliveredCampaign[]) => new Map(all.map((one) => [one.id, one]))
const NONE: ReadonlyMap<string, BilledBefore> = new Map()

describe('readHour', () => {
  it('accepts the start of an hour only', () => {
    expect(readHour('2026-11-01T10:00:00Z')).toBe('2026-11-01T10:00:00.000Z')
    expect(readHour('2026-11-01T11:00:00+01:00')).toBe('2026-11-01T10:00:00.000Z')
    expect(readHour(FIRST)).toBe('2026-11-01T00:00:00.000Z')
    for (const wrong of ['2026-11-01T10:30:00Z', '2026-11-01', 'soon', '', FIRST + 1]) expect(readHour(wrong)).toBeNull()
  })
})

describe('hours in which a campaign has served', () => {
  it.each([
    ['2026-11-01T09:00:00.000Z', false],
    ['2026-11-01T10:00:00.000Z', true],
    ['2026-11-01T11:00:00.000Z', true],
    ['2026-11-01T12:00:00.000Z', false],
  ])('a campaign has served in an hour: %s: %s', (hour, expected) => {
    expect(hasServedIn(campaign(), hour)).toBe(expected)
  })

  it('a campaign has not served before the hour in which it starts, nor in the hour in which it had ended', () => {
    const served = [{ from: '2026-11-01T10:00:00.000Z', to: '2026-11-01T11:00:00.000Z' }]
    const hours = ['09', '10', '11'].map((hour) => hasServedIn(campaign({ served }), `2026-11-01T${hour}:00:00.000Z`))
    expect(hours).toEqual([false, true, false])
  })

  it('a campaign has served in an hour while it still serves', () => {
    expect(hasServedIn(campaign({ served: [{ from: '2026-11-01T10:30:00.000Z', to: null }] }), '2027-01-01T00:00:00.000Z')).toBe(
      true,
    )
  })
})

describe('the faults of a batch', () => {
  // covers FP-40
  it('the faults of a batch name the rows of unknown campaigns, of hours without serving and of hours to come', () => {
    const rows = [
      row(),
      row({ campaign_id: 'unknown' }),
      row({ hour: '2026-11-01T13:00:00.000Z' }),
      row({ hour: '2026-11-02T00:00:00.000Z' }),
    ]
    const faults = batchFaults(rows, mapOf(campaign()), '2026-11-01T14:00:00.000Z')
    expect(faults.map(({ path, code }) => [path, code])).toEqual([
      ['rows[1].campaign_id', 2],
      ['rows[2].campaign_id', 2],
      ['rows[3].hour', 2],
      ['rows[3].campaign_id', 2],
    ])
  })

  it('a batch of an hour that begins right now has no faults', () => {
    const hour = '2026-11-01T11:00:00.000Z'
    expect(batchFaults([row({ hour })], mapOf(campaign()), hour)).toEqual([])
  })
})

describe('the measures of a row', () => {
  it.each([
    [{ impressions: 1, clicks: 11 }, ['clicks']],
    [{ impressions: 1, clicks: 10, conversions: 1010 }, []],
    [{ impressions: 1, conversions: 1011, unique_conversions: 1e9 }, ['conversions', 'unique_conversions']],
    [{ impressions: 0, clicks: 0, conversions_unique_bid: 1001 }, ['conversions_unique_bid']],
  ])('%j: too many are %j', (measures, expected) => {
    expect(unlikelyMeasures(row(measures))).toEqual(expected)
  })
})

describe('bill', () => {
  // covers FP-31
  it('bills campaigns of two time zones in one batch on the local day of each', () => {
    // The local day without the code under test.
    const localDayOf = (hour: number, offset: number) => Math.floor((FIRST / 1000 + hour * 3600 + offset) / 86_400)
    const offsets = [-10_800, 0, 3600, 14_400, 20_700] as const
    const rowsOf = fc.array(
      fc.record({ of: fc.nat({ max: 1 }), hour: fc.integer({ min: 18, max: 30 }), spent: fc.integer({ min: 1, max: 500 }) }),
      { minLength: 4, maxLength: 30, size: 'max' },
    )
    let parted = 0
    fc.assert(
      fc.property(rowsOf, fc.shuffledSubarray([...offsets], { minLength: 2, maxLength: 2 }), (all, zones) => {
        const budget = 700
        const own = zones.map((offset, n) => campaign({ id: `c${n}`, budget, timezone_offset_seconds: offset }))
        const rows = all.map(({ of, hour, spent }) =>
          row({ campaign_id: `c${of}`, hour: new Date(FIRST + hour * HOUR_MS).toISOString(), spent }),
        )
        const spent = new Map<string, number>()
        const billed = new Map<string, number>()
        const facts = bill(rows, mapOf(...own), NONE)
        for (const [i, { of, hour, spent: amount }] of all.entries()) {
          const key = `${of} ${localDayOf(hour, zones[of] ?? 0)}`
          spent.set(key, (spent.get(key) ?? 0) + amount)
          billed.set(key, (billed.get(key) ?? 0) + (facts[i]?.billed ?? 0))
          if (localDayOf(hour, zones[0] ?? 0) !== localDayOf(hour, zones[1] ?? 0)) parted += 1
        }
        for (const [key, amount] of spent) expect(billed.get(key)).toBe(Math.min(budget, amount))
      }),
      { numRuns: 200 },
    )
    expect(parted).toBeGreaterThan(200)
  })

  it('charges until the day budget is reached, and starts over on the next local day', () => {
    const own = campaign({ budget: 250, timezone_offset_seconds: 3600 })
    const rows = [row({ spent: 200 }), row({ spent: 200 }), row({ spent: 200, hour: '2026-11-01T23:00:00.000Z' })]
    expect(bill(rows, mapOf(own), NONE).map(({ billed, overdelivered }) => [billed, overdelivered])).toEqual([
      [200, 0],
      [50, 150],
      [200, 0],
    ])
    expect(dayOf('2026-11-01T23:00:00.000Z', own)).toBe('2026-11-02')
  })

  it('charges a total budget over all days, counting what was billed before', () => {
    const own = campaign({ budget: 250, budget_type_key: 1 })
    const before = new Map([['campaign-1', { total: 240, days: new Map() }]])
    const rows = [row({ spent: 5 }), row({ spent: 20, hour: '2026-11-05T10:00:00.000Z' })]
    expect(bill(rows, mapOf(own), before).map(({ billed }) => billed)).toEqual([5, 5])
  })

  it('never charges a campaign without a budget', () => {
    expect(bill([row({ spent: 20 })], mapOf(campaign({ budget: null })), NONE)[0]).toMatchObject({ billed: 0, overdelivered: 20 })
  })

  // covers FP-31
  it('loses no micro, stays within the budget of each period, and bills the same total in any order', () => {
    const spends = fc.array(fc.record({ hour: fc.integer({ min: 0, max: 71 }), spent: fc.integer({ min: 0, max: 500 }) }), {
      maxLength: 40,
      size: 'max',
    })
    const kinds = { full: 0, below: 0 }
    fc.assert(
      fc.property(
        spends,
        fc.constantFrom(1, 2),
        fc.integer({ min: 0, max: 2000 }),
        fc.constantFrom(-39_600, 0, 3600, 20_700),
        fc.infiniteStream(fc.nat()),
        (all, type, budget, offset, seeds) => {
          const own = campaign({ budget, budget_type_key: type, timezone_offset_seconds: offset })
          const rows = all.map(({ hour, spent }) => row({ hour: new Date(FIRST + hour * HOUR_MS).toISOString(), spent }))
          const periodOf = (hour: string) => (type === 1 ? 'total' : dayOf(hour, own))
          const sums = (facts: ReturnType<typeof bill>) => {
            const billed = new Map<string, number>()
            for (const fact of facts) billed.set(periodOf(fact.hour), (billed.get(periodOf(fact.hour)) ?? 0) + fact.billed)
            return billed
          }
          const facts = bill(rows, mapOf(own), NONE)
          for (const fact of facts) {
            expect(fact.billed).toBeGreaterThanOrEqual(0)
            expect(fact.billed + fact.overdelivered).toBe(fact.spent)
          }
          for (const [period, billed] of sums(facts)) {
            const spent = rows.filter(({ hour }) => periodOf(hour) === period).reduce((sum, one) => sum + one.spent, 0)
            expect(billed).toBe(Math.min(budget, spent))
            kinds[billed === budget ? 'full' : 'below'] += 1
          }
          const shuffled = rows
            .map((one) => ({ one, at: seeds.next().value ?? 0 }))
            .sort((a, b) => a.at - b.at)
            .map(({ one }) => one)
          expect(sums(bill(shuffled, mapOf(own), NONE))).toEqual(sums(facts))
        },
      ),
      { numRuns: 300 },
    )
    expect(Math.min(kinds.full, kinds.below)).toBeGreaterThan(50)
  })
})
