import type { Fault } from '../kit/errors.ts'
import { RULE_DEPTH, type RuleGroup, type TrafficEntry } from '../campaign/content/content.ts'
import { fault, tabOf } from '../campaign/saving/faults.ts'
import { fault as plainFault } from '../kit/faults.ts'
import { filterOf, fits, operatorOf, type Filter, type Operator } from './filters.ts'

/** Faults of advanced bidding entries, each under the path of its rule (campaigns.md §3, decisions G-153 to G-160). */
export function biddingFaults(entries: readonly TrafficEntry[]): readonly Fault[] {
  const ids = new Set<number>()
  return entries.flatMap((entry) => {
    const path = `traffic_targeting[${entry.id}]`
    const faults: Fault[] = []
    if (ids.has(entry.id)) faults.push(fault(path, 2, 'duplicateId'))
    ids.add(entry.id)
    if (!Number.isSafeInteger(entry.id) || entry.id < 0) faults.push(fault(`${path}.id`, 2, 'positiveNumber'))
    if (entry.name.trim() === '') faults.push(fault(`${path}.name`, 2, 'required'))
    if (!Number.isFinite(entry.multiplier)) faults.push(fault(`${path}.multiplier`, 2, 'numeric'))
    const ofRules = groupFaults(entry.rules, `${path}.rules`, 1, filterOf)
    return [...faults, ...ofRules.map((one) => ({ ...one, tab: tabOf(one.path) }))]
  })
}

/** Faults of a group of rules over these filters, each under the path of its rule. */
export function groupFaults(
  group: RuleGroup,
  path: string,
  depth: number,
  filterFor: (field: string) => Filter | null,
): readonly Fault[] {
  if (depth > RULE_DEPTH) return [plainFault(path, 2, 'tooMany', { max: RULE_DEPTH })]
  return group.rules.flatMap((rule, index) => {
    const at = `${path}.rules[${index}]`
    if ('rules' in rule) return groupFaults(rule, at, depth + 1, filterFor)
    const filter = filterFor(rule.field)
    if (filter === null) return [plainFault(`${at}.field`, 2, 'notAllowed')]
    const operator = operatorOf(rule.operator)
    const allowed: readonly Operator[] = filter.operators
    return [
      ...(operator === null || !allowed.includes(operator) ? [plainFault(`${at}.operator`, 2, 'notAllowed')] : []),
      ...(fits(filter, rule.value) ? [] : [plainFault(`${at}.value`, 2, filter.kind === 'ip' ? 'ipRange' : 'notAllowed')]),
    ]
  })
}
