import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Rule, RuleGroup, TrafficEntry } from '#domain/campaign/content/content'
import type { Facts } from '#domain/bidding/evaluate'
import { createReplay, type Replayed } from '#domain/bidding/replay'
import { expectSame, limit, runs } from '../support/properties.ts'

const leaf: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({
    field: fc.constant('os'),
    operator: fc.constantFrom('is', 'is_not'),
    value: fc.constantFrom('Android', 'ios', 'Windows'),
  }),
  fc.record({
    field: fc.constant('bid_floor'),
    operator: fc.constantFrom('is', 'is_more_than', 'is_less_than'),
    value: fc.constantFrom(0, 1, 2),
  }),
  fc.record({
    field: fc.constant('creative_size'),
    operator: fc.constantFrom('is', 'is_not'),
    value: fc.constantFrom('320x50', '300x250'),
  }),
)
const { group } = fc.letrec<{ group: RuleGroup; node: RuleGroup | Rule }>((tie) => ({
  node: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf, tie('group')),
  group: fc.record({ condition: fc.constantFrom('and', 'or'), rules: fc.array(tie('node'), { maxLength: 3 }) }),
}))
/** Quarters, so that sums of multipliers are exact. */
const entries: fc.Arbitrary<readonly TrafficEntry[]> = fc
  .array(fc.record({ rules: group, quarters: fc.integer({ min: 0, max: 12 }) }), { maxLength: 4 })
  .map((all) => all.map(({ rules, quarters }, i) => ({ id: i + 1, name: `Bidding ${i + 1}`, multiplier: quarters / 4, rules })))
const impressions: fc.Arbitrary<readonly Facts[]> = fc.array(
  fc.record(
    {
      os: fc.constantFrom('Android', 'iOS'),
      bid_floor: fc.constantFrom(0, 0.5, 1, 1.5, 2),
      creative_size: fc.subarray(['320x50', '300x250', '728x90']),
    },
    { requiredKeys: ['bid_floor'] },
  ),
  { maxLength: 40 },
)

/** Bids on one impression by the text of the specification (campaigns.md §3), with no code of the product. */
function bidOn(all: readonly TrafficEntry[], impression: Facts): { readonly id: number | null; readonly multiplier: number } {
  const asked = ({ field, operator, value }: Rule): boolean => {
    const has = [(impression as Record<string, string | number | string[] | undefined>)[field] ?? []]
      .flat()
      .map((one) => String(one).toLowerCase())
    const wanted = String(value).toLowerCase()
    if (operator === 'is') return has.includes(wanted)
    if (operator === 'is_not') return !has.includes(wanted)
    return has.some((one) => (operator === 'is_more_than' ? Number(one) > Number(value) : Number(one) < Number(value)))
  }
  const met = ({ condition, rules }: RuleGroup): boolean => {
    const verdicts = rules.map((one) => ('rules' in one ? met(one) : asked(one)))
    if (verdicts.length === 0) return true
    return condition === 'and' ? !verdicts.includes(false) : verdicts.includes(true)
  }
  for (const entry of all) if (met(entry.rules)) return { id: entry.id, multiplier: entry.multiplier }
  return { id: null, multiplier: 1 }
}

const replayed = (all: readonly TrafficEntry[], sample: readonly Facts[]): Replayed => {
  const replay = createReplay(all)
  for (const one of sample) replay.add(one)
  return replay.sums()
}

describe('the rule lab', () => {
  it(
    'sums what each impression gets by itself',
    () => {
      let decisions = 0
      fc.assert(
        fc.property(entries, impressions, (all, sample) => {
          const bids = sample.map((one) => bidOn(all, one))
          const paid = bids.filter(({ multiplier }) => multiplier > 0)
          const decided = bids.filter(({ id }) => id !== null)
          decisions += decided.length
          expectSame(replayed(all, sample), {
            matched: decided.length,
            bids: paid.length,
            average_multiplier:
              paid.length === 0 ? null : paid.reduce((sum, { multiplier }) => sum + multiplier, 0) / paid.length,
            entries: all.map(({ id, name, multiplier }) => ({
              id,
              name,
              multiplier,
              decided: decided.filter((one) => one.id === id).length,
            })),
          })
        }),
        { numRuns: runs(1000) },
      )
      expect(decisions).toBeGreaterThan(1000)
    },
    limit(),
  )

  it(
    'finds no change where the rules are the same, whatever they are called',
    () => {
      fc.assert(
        fc.property(entries, impressions, (all, sample) => {
          const { entries: split, ...sums } = replayed(all, sample)
          const renamed = replayed(
            structuredClone(all).map((one) => ({ ...one, name: 'Renamed' })),
            sample,
          )
          expectSame(
            { ...renamed, entries: renamed.entries.map((one) => one.decided) },
            {
              ...sums,
              entries: split.map((one) => one.decided),
            },
          )
        }),
        { numRuns: runs(300) },
      )
    },
    limit(),
  )

  it('counts entries moved in front of an equal one as theirs', () => {
    const everything: RuleGroup = { condition: 'and', rules: [] }
    const [a, b] = [1, 2].map((id) => ({ id, name: `Bidding ${id}`, multiplier: id, rules: everything })) as [
      TrafficEntry,
      TrafficEntry,
    ]
    expect(replayed([a, b], [{}]).entries.map(({ id, decided }) => [id, decided])).toEqual([
      [1, 1],
      [2, 0],
    ])
    expect(replayed([b, a], [{}]).entries.map(({ id, decided }) => [id, decided])).toEqual([
      [2, 1],
      [1, 0],
    ])
  })
})
