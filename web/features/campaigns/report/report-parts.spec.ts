import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { figuresOf, METRICS, NOTHING_COUNTED, type Counts } from '#domain/reports/figures'
import { addParts, joinParts, splitRange, sumOf, withCounts, type Part } from './report-parts.ts'

const HOUR_MS = 3_600_000
const START = Date.parse('2026-11-01T00:00:00Z')

/** Delivery of an hour; spend in millionths, as the server keeps it. */
const hour = fc.record({
  impressions: fc.nat(100_000),
  clicks: fc.nat(1000),
  conversions: fc.nat(50),
  bids: fc.nat(200_000),
  bounces: fc.nat(100),
  engagements: fc.nat(500),
  completed_views: fc.nat(500),
  reach: fc.nat(5000),
  micros: fc.nat(900_000_000),
})
type Hour = typeof hour extends fc.Arbitrary<infer Value> ? Value : never

/** Answer of one request for these hours. */
function answerOf(hours: readonly Hour[], first = 0): Part {
  const counts = (some: readonly Hour[]): Counts => {
    const sum = (of: (one: Hour) => number) => some.reduce((all, one) => all + of(one), 0)
    return {
      ...NOTHING_COUNTED,
      impressions: sum((one) => one.impressions),
      clicks: sum((one) => one.clicks),
      conversions: sum((one) => one.conversions),
      bids: sum((one) => one.bids),
      bounces: sum((one) => one.bounces),
      engagements: sum((one) => one.engagements),
      completed_views: sum((one) => one.completed_views),
      reach: sum((one) => one.reach),
      spent: sum((one) => one.micros) / 1_000_000,
    }
  }
  return {
    points: hours.map((one, index) => ({ at: START + (first + index) * HOUR_MS, values: figuresOf(counts([one])) })),
    totals: figuresOf(counts(hours)),
  }
}

describe('a period in several requests', () => {
  it('a period in several requests is one request by day, and one for each seven days by hour', () => {
    const range = { start: '2026-10-25', end: '2026-11-23' }
    expect(splitRange(range, 'days')).toEqual([range])
    expect(splitRange(range, 'hours')).toEqual([
      { start: '2026-10-25', end: '2026-10-31' },
      { start: '2026-11-01', end: '2026-11-07' },
      { start: '2026-11-08', end: '2026-11-14' },
      { start: '2026-11-15', end: '2026-11-21' },
      { start: '2026-11-22', end: '2026-11-23' },
    ])
  })

  it.each([
    ['2026-11-17', '2026-11-23', 1],
    ['2026-11-17', '2026-11-24', 2],
  ])('a period from %s to %s is %d requests by hour', (start, end, requests) => {
    expect(splitRange({ start, end }, 'hours')).toHaveLength(requests)
  })

  it('the merged answers of several requests are what one request answers, ratios included', () => {
    fc.assert(
      fc.property(fc.array(hour, { minLength: 1, maxLength: 40 }), fc.nat(40), fc.nat(40), (hours, one, other) => {
        const [from, to] = [one % hours.length, other % hours.length].toSorted((a, b) => a - b) as [number, number]
        const parts = [
          answerOf(hours.slice(0, from)),
          answerOf(hours.slice(from, to), from),
          answerOf(hours.slice(to), to),
        ].filter(({ points }) => points.length > 0)
        expect(joinParts(parts, METRICS)).toEqual(answerOf(hours))
      }),
    )
  })

  it('a period of several filters adds up hour by hour', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(hour, hour), { minLength: 1, maxLength: 20 }), (pairs) => {
        const sum = pairs.map(
          ([a, b]): Hour =>
            Object.fromEntries(Object.entries(a).map(([key, value]) => [key, value + b[key as keyof Hour]])) as Hour,
        )
        const merged = addParts([answerOf(pairs.map(([a]) => a)), answerOf(pairs.map(([, b]) => b))], METRICS)
        expect(merged).toEqual(answerOf(sum))
      }),
    )
  })

  it('takes ratios from sums, not from other ratios', () => {
    const a = { clicks: 1, impressions: 10, ctr: 10 }
    const b = { clicks: 1, impressions: 990, ctr: 0.1 }
    expect(sumOf([a, b], ['ctr'])).toEqual({ clicks: 2, impressions: 1000, ctr: 0.2 })
  })

  it('adds money without rounding errors', () => {
    expect(
      sumOf(
        Array.from({ length: 10 }, () => ({ spent: 0.1 })),
        ['spent'],
      ),
    ).toEqual({ spent: 1 })
  })

  it('a period in several requests has no money where the server gives none', () => {
    expect(sumOf([{ impressions: 5 }, { impressions: 6 }], ['impressions', 'spent', 'cpm'])).toEqual({ impressions: 11 })
  })
})

describe('the requested metrics', () => {
  it('the requested metrics are the shown ones with the counts of their ratios', () => {
    expect(withCounts(['cpm', 'clicks'])).toEqual(['cpm', 'spent', 'impressions', 'clicks'])
  })
})
