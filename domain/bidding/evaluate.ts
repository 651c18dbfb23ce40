import { unreachable } from '#domain/kit/decision'
import type { Rule, RuleGroup, TrafficEntry } from '../campaign/content/content.ts'
import { operatorOf, type FilterKey } from './filters.ts'
import { isInRange, parseIp, parseIpRange, type IpRange } from '../kit/ip-range.ts'

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

/** Bid for an impression. */
export type Bid = {
  /** The first entry that matched, in list order; null when none did. */
  readonly entry: TrafficEntry | null
  /** Factor of the bid; 1 when no entry matched. 0 means no bid. */
  readonly multiplier: number
}
export type ExplainedBid = Bid & {
  /** Every entry, in order: entries after the first match are evaluated too, to show what they would have done. */
  readonly entries: readonly { readonly entry: TrafficEntry; readonly explained: ExplainedGroup }[]
}

/**
 * First match in list order wins; a multiplier of 0 is no bid; no match is 1. Pure and total: unknown filters and values never
 * match.
 */
export function bidOf(entries: readonly TrafficEntry[], facts: Facts): Bid {
  const entry = entries.find(({ rules }) => matches(rules, facts)) ?? null
  return { entry, multiplier: entry?.multiplier ?? 1 }
}

/** The bid, and for every rule of every entry whether it matched. */
export const evaluateBid = (entries: readonly TrafficEntry[], facts: Facts): ExplainedBid => ({
  ...bidOf(entries, facts),
  entries: entries.map((entry) => ({ entry, explained: explainGroup(entry.rules, facts) })),
})

/** A group without rules matches: such an entry applies to every impression. */
function matches({ condition, rules }: RuleGroup, facts: FactsByField): boolean {
  const one = (rule: RuleGroup | Rule): boolean => ('rules' in rule ? matches(rule, facts) : holds(rule, factOf(rule, facts)))
  return rules.length === 0 || (condition === 'and' ? rules.every(one) : rules.some(one))
}

export const explainGroup = (group: RuleGroup, facts: FactsByField): ExplainedGroup => ({
  kind: 'group',
  condition: group.condition,
  holds: matches(group, facts),
  rules: group.rules.map((rule) => ('rules' in rule ? explainGroup(rule, facts) : explainRule(rule, facts))),
})

function explainRule(rule: Rule, facts: FactsByField): ExplainedRule {
  const actual = factOf(rule, facts)
  return { kind: 'rule', ...rule, actual, holds: holds(rule, actual) }
}

const factOf = ({ field }: Rule, facts: FactsByField): Fact | null =>
  Object.hasOwn(facts, field) ? (facts[field] ?? null) : null

function holds(rule: Rule, actual: Fact | null): boolean {
  const { operator, value } = rule
  const known = operatorOf(operator)
  switch (known) {
    case 'is':
      return valuesOf(actual).some((one) => same(one, value))
    case 'is_not':
      return !valuesOf(actual).some((one) => same(one, value))
    case 'in_ip_range':
      return inRange(rule, actual) === true
    case 'not_in_ip_range':
      return inRange(rule, actual) === false
    case 'is_more_than':
      return typeof actual === 'number' && typeof value === 'number' && actual > value
    case 'is_less_than':
      return typeof actual === 'number' && typeof value === 'number' && actual < value
    case null:
      return false
    default:
      return unreachable(known, false)
  }
}

const valuesOf = (actual: Fact | null): readonly (string | number | boolean)[] =>
  actual === null ? [] : Array.isArray(actual) ? actual : [actual as string | number | boolean]

/** Case-insensitive texts: exchanges write `iOS` and `ios`. */
const same = (a: string | number | boolean, b: string | number | boolean): boolean =>
  typeof a === 'string' && typeof b === 'string' ? a.trim().toLowerCase() === b.trim().toLowerCase() : a === b

/** Null without a range or an address: neither inside nor outside. */
function inRange(rule: Rule, actual: Fact | null): boolean | null {
  const range = rangeOf(rule)
  const address = typeof actual === 'string' ? parseIp(actual) : null
  return range === null || address === null ? null : isInRange(range, address)
}

/** A rule is compared with many impressions, and its range is parsed once. */
const ranges = new WeakMap<Rule, IpRange | null>()
function rangeOf(rule: Rule): IpRange | null {
  const known = ranges.get(rule)
  if (known !== undefined) return known
  const range = typeof rule.value === 'string' ? parseIpRange(rule.value) : null
  ranges.set(rule, range)
  return range
}
