import type { Rule, RuleGroup, TrafficEntry } from '../campaign/content/content.ts'
import { operatorOf, type FilterKey } from './filters.ts'
import { isInRange, parseIp, parseIpRange } from '../kit/ip-range.ts'

/**
 * Values of one impression, by filter; absent where it has none. A list where several apply at once: accepted sizes and
 * formats, names of an app or a site.
 */
export type Facts = { readonly [Key in FilterKey]?: Fact }
/** Values by any filters that share the operators of bidding. */
type FactsByField = { readonly [field: string]: Fact | undefined }
export type Fact = string | number | boolean | readonly (string | number)[]

/** Why a rule or a group matched or not: the rule, and the value it was compared with. */
export type Explained = ExplainedRule | ExplainedGroup
export type ExplainedRule = Rule & { readonly kind: 'rule'; readonly holds: boolean; readonly actual: Fact | null }
export type ExplainedGroup = {
  readonly kind: 'group'
  readonly condition: 'and' | 'or'
  readonly holds: boolean
  readonly rules: readonly Explained[]
}

export type Bid = {
  /** The first entry that matched, in list order; null when none did. */
  readonly entry: TrafficEntry | null
  /** What the bid is multiplied by; 1 when no entry matched. 0 means no bid. */
  readonly multiplier: number
  /** Every entry, in order: entries after the first match are evaluated too, to show what they would have done. */
  readonly entries: readonly { readonly entry: TrafficEntry; readonly explained: ExplainedGroup }[]
}

/**
 * First match in list order wins; a multiplier of 0 is no bid; no match is 1. Pure and total: unknown filters and values never
 * match.
 */
export function evaluateBid(entries: readonly TrafficEntry[], facts: Facts): Bid {
  const judged = entries.map((entry) => ({ entry, explained: explainGroup(entry.rules, facts) }))
  const first = judged.find(({ explained }) => explained.holds)?.entry ?? null
  return { entry: first, multiplier: first?.multiplier ?? 1, entries: judged }
}

/** A group without rules matches: such an entry applies to every impression. */
export function explainGroup({ condition, rules }: RuleGroup, facts: FactsByField): ExplainedGroup {
  const explained = rules.map((rule) => ('rules' in rule ? explainGroup(rule, facts) : explainRule(rule, facts)))
  const holds =
    explained.length === 0 || (condition === 'and' ? explained.every((one) => one.holds) : explained.some((one) => one.holds))
  return { kind: 'group', condition, holds, rules: explained }
}

function explainRule(rule: Rule, facts: FactsByField): ExplainedRule {
  const actual = Object.hasOwn(facts, rule.field) ? (facts[rule.field] ?? null) : null
  return { kind: 'rule', ...rule, actual, holds: holds(rule, actual) }
}

function holds({ operator, value }: Rule, actual: Fact | null): boolean {
  const known = operatorOf(operator)
  switch (known) {
    case 'is':
      return valuesOf(actual).some((one) => same(one, value))
    case 'is_not':
      return !valuesOf(actual).some((one) => same(one, value))
    case 'in_ip_range':
      return inRange(value, actual) === true
    case 'not_in_ip_range':
      return inRange(value, actual) === false
    case 'is_more_than':
      return typeof actual === 'number' && typeof value === 'number' && actual > value
    case 'is_less_than':
      return typeof actual === 'number' && typeof value === 'number' && actual < value
    case null:
      return false
    default:
      return unreachable(known)
  }
}

const unreachable = (_: never): boolean => false

const valuesOf = (actual: Fact | null): readonly (string | number | boolean)[] =>
  actual === null ? [] : Array.isArray(actual) ? actual : [actual as string | number | boolean]

/** Case-insensitive texts: exchanges write `iOS` and `ios`. */
const same = (a: string | number | boolean, b: string | number | boolean): boolean =>
  typeof a === 'string' && typeof b === 'string' ? a.trim().toLowerCase() === b.trim().toLowerCase() : a === b

/** Null without a range or an address: neither inside nor outside. */
function inRange(value: Rule['value'], actual: Fact | null): boolean | null {
  const range = typeof value === 'string' ? parseIpRange(value) : null
  const address = typeof actual === 'string' ? parseIp(actual) : null
  return range === null || address === null ? null : isInRange(range, address)
}
