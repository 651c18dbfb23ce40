import type { Fields } from '#domain/kit/fields'
import { fault } from '../saving/faults.ts'
import type { Rule } from '../saving/save-context.ts'
import { CONTENT_FIELDS, type CampaignContent } from './content.ts'

type Listed = { readonly keys: readonly string[]; readonly path: string; readonly values: ReadonlySet<unknown> }

/** Fields whose values have rules, codes or paths of their own. */
const OTHER_RULES: ReadonlySet<string> = new Set([
  'bidding_strategy.goal',
  'budget_type_key',
  'scheduling',
  'slots',
  'targeting.similarity',
])

const listedIn = (fields: Fields, above: readonly string[] = []): readonly Listed[] =>
  Object.entries(fields).flatMap(([key, { shape, values }]): readonly Listed[] => {
    const keys = [...above, key]
    const path = keys.join('.')
    if (OTHER_RULES.has(path)) return []
    if (shape.kind === 'record') return listedIn(shape.fields, keys)
    return values === undefined ? [] : [{ keys, path, values: new Set(values) }]
  })
const LISTED = listedIn(CONTENT_FIELDS)

const valueAt = (content: CampaignContent, keys: readonly string[]): unknown =>
  keys.reduce<unknown>((part, key) => (part as Readonly<Record<string, unknown>>)[key], content)

/** Fields hold the values that they offer (campaigns.md §9). Entries of lists that are stored are not checked again. */
export const allowedValues: Rule = (content, { before }, report) => {
  for (const { keys, path, values } of LISTED) {
    const value = valueAt(content, keys)
    const stored = Array.isArray(value) && before !== null ? (valueAt(before, keys) as readonly unknown[]) : []
    const sent = Array.isArray(value) ? value.filter((entry) => !stored.includes(entry)) : [value]
    if (sent.some((entry) => entry !== null && !values.has(entry))) report(fault(path, 2, 'notAllowed'))
  }
}
