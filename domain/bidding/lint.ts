import type { Rule, RuleGroup, TrafficEntry } from '../campaign/content/content.ts'
import { operatorOf } from './filters.ts'
import { parseIpRange, type IpRange } from '../kit/ip-range.ts'

/** Allowed but probably unintended; reported with the answer to a save, which it does not block. */
export type BidWarning = {
  /** Id of the entry. */
  readonly entry: number
  readonly path: string
} & (
  | { readonly kind: 'contradiction'; readonly field: string }
  /** An earlier entry matches every impression that would reach this one. */
  | { readonly kind: 'unreachable'; readonly by: number }
)

/**
 * Finds rules that can never match together, and entries that no impression can reach. Sound but not complete: every report is
 * true, but a contradiction across several levels of "or" is not found.
 */
export function lintBidding(entries: readonly TrafficEntry[]): readonly BidWarning[] {
  return entries.flatMap((entry, index) => {
    const path = `traffic_targeting[${entry.id}]`
    const before = entries.slice(0, index).find((earlier) => covers(earlier.rules, entry.rules))
    const unreachable: BidWarning[] = before === undefined ? [] : [{ kind: 'unreachable', entry: entry.id, path, by: before.id }]
    const contradictions = contradictionsOf(entry.rules).map(({ path: within, field }): BidWarning => ({
      kind: 'contradiction',
      entry: entry.id,
      path: `${path}.rules${within}`,
      field,
    }))
    return [...unreachable, ...contradictions]
  })
}

/** Every entry is compared with all earlier ones, and a save changes few: conclusions about a group or a rule are cached. */
function remembered<T extends object, R>(of: (value: T) => R): (value: T) => R {
  const known = new WeakMap<T, R>()
  return (value) => {
    const before = known.get(value)
    if (before !== undefined) return before
    const result = of(value)
    known.set(value, result)
    return result
  }
}

const textOf = remembered((group: RuleGroup) => JSON.stringify(group))
const keyOf = remembered(({ field, operator, value }: Rule) => JSON.stringify([field, operatorOf(operator), folded(value)]))
/** Requirements of a group on every impression. */
const askedBy = remembered((group: RuleGroup): ReadonlySet<string> => new Set(required(group).map(keyOf)))
const contradictionsOf = remembered((group: RuleGroup) => contradictionsIn(group, [], ''))

/** Whether every impression that matches `narrow` also matches `wide`, as far as their texts show. */
function covers(wide: RuleGroup, narrow: RuleGroup): boolean {
  if (wide.rules.length === 0 || textOf(wide) === textOf(narrow)) return true
  // One of a disjunction, or all of a conjunction, that the narrow one requires as well.
  const given = (rule: RuleGroup | Rule) => ('rules' in rule ? covers(rule, narrow) : askedBy(narrow).has(keyOf(rule)))
  return wide.condition === 'and' ? wide.rules.every(given) : wide.rules.some(given)
}

const folded = (value: Rule['value']): Rule['value'] => (typeof value === 'string' ? value.trim().toLowerCase() : value)

/** Rules that match whenever the group matches. */
function required({ condition, rules }: RuleGroup): readonly Rule[] {
  if (condition === 'or' && rules.length > 1) return []
  return rules.flatMap((rule) => ('rules' in rule ? required(rule) : [rule]))
}

type Found = { readonly path: string; readonly field: string }

/** `outer` are the rules that match around the group. */
function contradictionsIn(group: RuleGroup, outer: readonly Rule[], path: string): readonly Found[] {
  const here = required(group)
  const together = [...outer, ...here]
  const fields = [...new Set(here.map(({ field }) => field))].filter((field) =>
    impossible(
      field,
      together.filter((rule) => rule.field === field),
    ),
  )
  if (fields.length > 0) return fields.map((field) => ({ path, field }))
  return group.rules.flatMap((rule, index) =>
    'rules' in rule ? contradictionsIn(rule, group.condition === 'and' ? together : outer, `${path}.rules[${index}]`) : [],
  )
}

/** Filters for which an impression may have several values at once. */
const SEVERAL: ReadonlySet<string> = new Set(['app', 'site', 'creative_format', 'creative_size'])

function impossible(field: string, rules: readonly Rule[]): boolean {
  const of = (operator: string) =>
    rules.filter((rule) => operatorOf(rule.operator) === operator).map(({ value }) => folded(value))
  const is = new Set(of('is'))
  if (of('is_not').some((value) => is.has(value))) return true
  if (!SEVERAL.has(field) && is.size > 1) return true
  return outOfBounds(field, is, of('is_more_than'), of('is_less_than')) || outOfRanges(of('in_ip_range'), of('not_in_ip_range'))
}

function outOfBounds(
  field: string,
  is: ReadonlySet<Rule['value']>,
  over: readonly Rule['value'][],
  under: readonly Rule['value'][],
): boolean {
  const low = Math.max(...over.filter((value) => typeof value === 'number'), Number.NEGATIVE_INFINITY)
  const high = Math.min(...under.filter((value) => typeof value === 'number'), Number.POSITIVE_INFINITY)
  // There is no integer between two neighbours, but a bid floor may lie there.
  if (field === 'bid_floor' ? low >= high : low + 1 >= high)
    return low !== Number.NEGATIVE_INFINITY && high !== Number.POSITIVE_INFINITY
  // None of these values is ever negative.
  if (high <= 0) return true
  return [...is].some((value) => typeof value === 'number' && (value <= low || value >= high))
}

function outOfRanges(inside: readonly Rule['value'][], outside: readonly Rule['value'][]): boolean {
  const ranges = (values: readonly Rule['value'][]): readonly IpRange[] =>
    values.flatMap((value) => (typeof value === 'string' ? (parseIpRange(value) ?? []) : []))
  const [first, ...others] = ranges(inside)
  if (first === undefined) return false
  let from = first.from
  let to = first.to
  for (const range of others) {
    if (range.family !== first.family) return true
    if (range.from > from) from = range.from
    if (range.to < to) to = range.to
  }
  return from > to || ranges(outside).some((range) => range.family === first.family && range.from <= from && range.to >= to)
}
