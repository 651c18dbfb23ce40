import type { Fault } from '../kit/errors.ts'
import { groupFaults } from '../bidding/bidding-faults.ts'
import { explainGroup, type Fact } from '../bidding/evaluate.ts'
import { WINDOWS, type Filter } from '../bidding/filters.ts'
import type { RuleGroup } from '../campaign/content/content.ts'

/**
 * Filters of a dynamic audience, over the events of one visitor. Rules have the shape and the operators of bidding rules (decisions
 * G-154, G-218).
 */

const EITHER = ['is', 'is_not'] as const
const COMPARED = ['is', 'is_more_than', 'is_less_than'] as const
const words: Filter = { kind: 'text', operators: EITHER }
const count: Filter = { kind: 'integer', operators: COMPARED }
const amount: Filter = { kind: 'decimal', operators: COMPARED }

type Window = (typeof WINDOWS)[number]

function windowed<Name extends string>(name: Name, filter: Filter) {
  return Object.fromEntries(WINDOWS.map((window) => [`${name}_${window}`, filter])) as Readonly<
    Record<`${Name}_${Window}`, Filter>
  >
}

export const VISITOR_FILTERS = {
  /** Names of events. */
  ...windowed('event', words),
  /** Number of events. */
  ...windowed('events', count),
  ...windowed('conversions', count),
  /** Sum of the events' values. */
  ...windowed('value', amount),
  /** Whole days since the first and the last event. */
  days_since_first: count,
  days_since_last: count,
  /** A host, or a host with a path. */
  page: words,
  device_model: words,
  source: {
    kind: 'choice',
    operators: EITHER,
    choices: [
      { value: 'pixel', label: 'Pixel' },
      { value: 'server', label: 'Server' },
    ],
  },
} as const satisfies Readonly<Record<string, Filter>>
export type VisitorField = keyof typeof VISITOR_FILTERS

export const isVisitorField = (field: string): field is VisitorField => Object.hasOwn(VISITOR_FILTERS, field)
export const visitorFilterOf = (field: string): Filter | null => (isVisitorField(field) ? VISITOR_FILTERS[field] : null)

/** Days of a window; null for all events that are kept. */
export function windowOf(field: VisitorField): number | null {
  const days = /_(\d+)d$/.exec(field)?.[1]
  return days === undefined ? null : Number(days)
}

/** Facts about one visitor, by filter. */
export type VisitorFacts = { readonly [Field in VisitorField]?: Fact }

/** Faults of the rules, each under the path of its rule. An audience needs at least one rule. */
export function visitorRuleFaults(rules: RuleGroup): readonly Fault[] {
  const faults = groupFaults(rules, 'rules', 1, visitorFilterOf)
  if (faults.length > 0 || fieldsOf(rules).size > 0) return faults
  return [{ path: 'rules', code: 2, message: 'At least one rule is needed', key: 'needRule' }]
}

/** The filters that rules use. */
export function fieldsOf({ rules }: RuleGroup): ReadonlySet<VisitorField> {
  return new Set(
    rules.flatMap((rule) => ('rules' in rule ? [...fieldsOf(rule)] : isVisitorField(rule.field) ? [rule.field] : [])),
  )
}

/** Whether the members change with time alone. */
export const dependsOnTime = (rules: RuleGroup): boolean =>
  [...fieldsOf(rules)].some((field) => windowOf(field) !== null || field.startsWith('days_since_'))

export const matchesVisitor = (rules: RuleGroup, facts: VisitorFacts): boolean => explainGroup(rules, facts).holds

/** Forms in which an address is compared: its host, and its host with each part of its path. */
export function pagesOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return []
  const { host, pathname } = new URL(url)
  const parts = pathname.split('/').filter((part) => part !== '')
  return [host, ...parts.map((_, n) => `${host}/${parts.slice(0, n + 1).join('/')}`)]
}
