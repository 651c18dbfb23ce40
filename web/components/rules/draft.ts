import type { Rule, RuleGroup } from '#domain/campaign/content/content'
import { fits, operatorOf, type Filter, type Operator } from '#domain/bidding/filters'
import { readDecimal } from '@/i18n/decimal'

/** Rules in a form: numbers as typed, including added rules that are still empty. */
export type DraftRule = {
  readonly field: string
  readonly operator: string
  readonly value: string | number | boolean
  /** True for rules added here. Without a choice they are not part of the rules. */
  readonly added?: true
}
export type DraftGroup = {
  readonly condition: 'and' | 'or'
  readonly rules: readonly (DraftGroup | DraftRule)[]
  /** True for groups added here. An added empty group is ignored, while a stored empty group matches everything. */
  readonly added?: true
}
export type DraftNode = DraftGroup | DraftRule
export const isGroup = (node: DraftNode): node is DraftGroup => 'rules' in node

/** The filter of a field; null for an unknown one. */
export type FilterOf = (field: string) => Filter | null

/** Returns the rules that a save would store. */
export const toGroup = ({ condition, rules }: DraftGroup, filterOf: FilterOf): RuleGroup => ({
  condition,
  rules: rules.filter(counts).map((node) => (isGroup(node) ? toGroup(node, filterOf) : toRule(node, filterOf))),
})
const toRule = (rule: DraftRule, filterOf: FilterOf): Rule => ({
  field: rule.field,
  operator: rule.operator,
  value: wireValue(rule, filterOf),
})

/** True when a node is part of the rules. Adding an empty rule or group changes nothing (campaigns.md §4). */
export const counts = (node: DraftNode): boolean => {
  if (!isGroup(node)) return node.added !== true || node.field !== ''
  return node.added !== true || node.rules.some(counts)
}

/** Numbers are typed as text. Text that is not a number is sent unchanged, and refused. */
export function wireValue({ field, value }: DraftRule, filterOf: FilterOf): Rule['value'] {
  const kind = filterOf(field)?.kind
  if (typeof value !== 'string' || (kind !== 'integer' && kind !== 'decimal')) return value
  const number = readDecimal(value)
  return number === null || Number.isNaN(number) ? value : number
}

export type RuleFault = { readonly at: 'field' | 'operator' | 'value'; readonly message: string }

/** Returns the fault that the server would report for a rule, or null. */
export function ruleFault(rule: DraftRule, filterOf: FilterOf): RuleFault | null {
  if (!counts(rule)) return null
  const filter = filterOf(rule.field)
  if (filter === null) return { at: 'field', message: 'faults:notAllowed' }
  const operator = operatorOf(rule.operator)
  const allowed: readonly Operator[] = filter.operators
  if (operator === null || !allowed.includes(operator)) return { at: 'operator', message: 'faults:notAllowed' }
  if (rule.value === '') return { at: 'value', message: 'faults:required' }
  if (fits(filter, wireValue(rule, filterOf))) return null
  return { at: 'value', message: MESSAGES[filter.kind] }
}

const MESSAGES = {
  text: 'faults:maxLength?max=1000',
  choice: 'faults:notAllowed',
  flag: 'faults:notAllowed',
  integer: 'bidding:integerNeeded',
  decimal: 'faults:numeric',
  ip: 'faults:ipRange',
} as const

export type PlacedFault = { readonly path: readonly (string | number)[]; readonly message: string }

/** The faults of a group, each with the path of its rule behind `path`. */
export function groupFaults(group: DraftGroup, path: readonly (string | number)[], filterOf: FilterOf): readonly PlacedFault[] {
  return group.rules.flatMap((node, index): readonly PlacedFault[] => {
    const at = [...path, 'rules', index]
    if (isGroup(node)) return groupFaults(node, at, filterOf)
    const fault = ruleFault(node, filterOf)
    return fault === null ? [] : [{ path: [...at, fault.at], message: fault.message }]
  })
}
