import { describe, expect, it } from 'vitest'
import type { RuleGroup, TrafficEntry } from '#domain/campaign/content/content'
import { evaluateBid } from './evaluate.ts'
import { factsOf } from './impression.ts'
import { createReplay } from './replay.ts'

const entry = (id: number, multiplier: number, ...rules: RuleGroup['rules']): TrafficEntry => ({
  id,
  name: `Bidding ${id}`,
  multiplier,
  rules: { condition: 'and', rules },
})
const os = (value: string) => ({ field: 'os', operator: 'is', value })
const floorOver = (value: number) => ({ field: 'bid_floor', operator: 'is_more_than', value })
/** A quarter of them are iPhones, and their floors rise from 0 to 1.99. */
const SAMPLE = Array.from({ length: 200 }, (_, n) => {
  const imp = { id: '1', banner: { w: 300, h: 250 }, bidfloor: n / 100 }
  return factsOf({ imp: [imp], device: { os: n % 4 === 0 ? 'iOS' : 'Android' } }, imp)
})
const replayed = (...entries: readonly TrafficEntry[]) => {
  const replay = createReplay(entries)
  for (const facts of SAMPLE) replay.add(facts)
  return replay.sums()
}

describe('a replay', () => {
  // covers FP-103
  it('says how many impressions the rules match, and what they bid', () => {
    // 50 × 2 and 150 × 1.
    expect(replayed(entry(1, 2, os('iOS')))).toMatchObject({ matched: 50, bids: 200, average_multiplier: 1.25 })
    // Floors from 1.50 on get no bid; 38 of the 150 others are iPhones.
    expect(replayed(entry(7, 0, floorOver(1.49)), entry(1, 3, os('iOS')))).toMatchObject({
      matched: 88,
      bids: 150,
      average_multiplier: (38 * 3 + 112) / 150,
      entries: [
        { id: 7, decided: 50 },
        { id: 1, decided: 38 },
      ],
    })
  })

  // covers FP-103
  it('sums what the evaluation of each impression says', () => {
    const entries = [entry(2, 0.5, floorOver(0.95)), entry(3, 1.5, os('Android'))]
    const bids = SAMPLE.map((facts) => evaluateBid(entries, facts))
    const sums = replayed(...entries)
    expect(sums.matched).toBe(bids.filter((one) => one.entry !== null).length)
    expect(sums.average_multiplier).toBeCloseTo(bids.reduce((sum, one) => sum + one.multiplier, 0) / 200, 9)
    for (const { id, decided } of sums.entries) expect(decided).toBe(bids.filter((one) => one.entry?.id === id).length)
  })

  it('a replay of nothing has no average', () =>
    expect(createReplay([]).sums()).toMatchObject({ matched: 0, average_multiplier: null }))
})
