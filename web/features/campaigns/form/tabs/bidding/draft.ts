import { trafficEntry } from '../../../../../../api/contract/campaign-body.ts'
import { z } from '../../../../../../api/contract/zod.ts'
import type { Rule, RuleGroup, TrafficEntry } from '../../../../../../domain/campaign/content/content.ts'
import { filterOf, fits, operatorOf, type Operator } from '../../../../../../domain/bidding/filters.ts'
import { readDecimal } from '@/i18n/decimal'
import { multiplierOf } from './multiplier.ts'

/** Entries in the form: numbers as typed, including added rules that are still empty. */
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
export type DraftEntry = {
  readonly id: number
  readonly name: string
  readonly multiplier: string
  readonly rules: DraftGroup
}
export type DraftNode = DraftGroup | DraftRule
export const isGroup = (node: DraftNode): node is DraftGroup => 'rules' in node

export function toDrafts(text: string | undefined): DraftEntry[] {
  return parse(text).map(({ id, name, multiplier, rules }) => ({ id, name, multiplier: String(multiplier), rules }))
}

const stored = z.array(trafficEntry)
function parse(text: string | undefined): readonly TrafficEntry[] {
  try {
    const read = stored.safeParse(JSON.parse(text ?? '[]'))
    return read.success ? read.data : []
  } catch {
    return []
  }
}

/** Returns the entries that a save would store. */
export const toEntries = (drafts: readonly DraftEntry[]): readonly TrafficEntry[] =>
  drafts.map(({ id, name, multiplier, rules }) => ({
    id,
    name,
    multiplier: Number(multiplierOf(multiplier)),
    rules: toGroup(rules),
  }))

const toGroup = ({ condition, rules }: DraftGroup): RuleGroup => ({
  condition,
  rules: rules.filter(counts).map((node) => (isGroup(node) ? toGroup(node) : toRule(node))),
})
const toRule = (rule: DraftRule): Rule => ({ field: rule.field, operator: rule.operator, value: wireValue(rule) })

/** True when a node is part of the rules. Adding an empty rule or group changes nothing (campaign.md §4). */
export const counts = (node: DraftNode): boolean => {
  if (!isGroup(node)) return node.added !== true || node.field !== ''
  return node.added !== true || node.rules.some(counts)
}

/** Numbers are typed as text. Text that is not a number is sent unchanged, and refused. */
export function wireValue({ field, value }: DraftRule): Rule['value'] {
  const kind = filterOf(field)?.kind
  if (typeof value !== 'string' || (kind !== 'integer' && kind !== 'decimal')) return value
  const number = readDecimal(value)
  return number === null || Number.isNaN(number) ? value : number
}

export type RuleFault = { readonly at: 'field' | 'operator' | 'value'; readonly message: string }

/** Returns the fault that the server would report for a rule, or null. */
export function ruleFault(rule: DraftRule): RuleFault | null {
  if (!counts(rule)) return null
  const filter = filterOf(rule.field)
  if (filter === null) return { at: 'field', message: 'faults:notAllowed' }
  const operator = operatorOf(rule.operator)
  const allowed: readonly Operator[] = filter.operators
  if (operator === null || !allowed.includes(operator)) return { at: 'operator', message: 'faults:notAllowed' }
  if (rule.value === '') return { at: 'value', message: 'faults:required' }
  if (fits(filter, wireValue(rule))) return null
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

export const draftFaults = (entries: readonly DraftEntry[]): readonly PlacedFault[] =>
  entries.flatMap(({ rules }, index) => groupFaults(rules, ['entries', index, 'rules']))

function groupFaults(group: DraftGroup, path: readonly (string | number)[]): readonly PlacedFault[] {
  return group.rules.flatMap((node, index): readonly PlacedFault[] => {
    const at = [...path, 'rules', index]
    if (isGroup(node)) return groupFaults(node, at)
    const fault = ruleFault(node)
    return fault === null ? [] : [{ path: [...at, fault.at], message: fault.message }]
  })
}
