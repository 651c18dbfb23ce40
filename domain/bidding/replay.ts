import type { RuleGroup, TrafficEntry } from '../campaign/content/content.ts'
import { bidOf, type Facts } from './evaluate.ts'

/** Effect of entries on the bids for a sample of impressions (fine print 103). */
export type Replayed = {
  /** Impressions that an entry matched. */
  readonly matched: number
  /** Impressions that get a bid: their multiplier is above 0. */
  readonly bids: number
  /** Mean multiplier of these bids; null without any. The base bid times it is the average bid. */
  readonly average_multiplier: number | null
  /** For each entry, in order, how many impressions it decided. */
  readonly entries: readonly {
    readonly id: number
    readonly name: string
    readonly multiplier: number
    readonly decided: number
  }[]
}

/** Below this many impressions a sample says too little about traffic. */
export const ENOUGH_IMPRESSIONS = 50

/** Bids on impressions one after the other, by the rules that bidders use, and sums the outcome. */
export function createReplay(entries: readonly TrafficEntry[]) {
  const decided = new Map<TrafficEntry, number>()
  let bids = 0
  let multipliers = 0
  return {
    add(facts: Facts): void {
      const { entry, multiplier } = bidOf(entries, facts)
      if (entry !== null) decided.set(entry, (decided.get(entry) ?? 0) + 1)
      if (multiplier <= 0) return
      bids += 1
      multipliers += multiplier
    },
    sums(): Replayed {
      const split = entries.map((entry) => ({
        id: entry.id,
        name: entry.name,
        multiplier: entry.multiplier,
        decided: decided.get(entry) ?? 0,
      }))
      const matched = split.reduce((sum, one) => sum + one.decided, 0)
      return { matched, bids, average_multiplier: bids === 0 ? null : multipliers / bids, entries: split }
    },
  }
}

/** How many rules the entries compare an impression with; an entry counts as one more. */
export const comparisonsOf = (entries: readonly TrafficEntry[]): number =>
  entries.reduce((sum, { rules }) => sum + 1 + rulesIn(rules), 0)

const rulesIn = ({ rules }: RuleGroup): number => rules.reduce((sum, rule) => sum + ('rules' in rule ? 1 + rulesIn(rule) : 1), 0)
