import type { Field } from '#domain/kit/fields'
import type { Change, Json } from '#domain/kit/json-changes'
import { CONTENT_FIELDS, type CampaignContent } from './content.ts'

/**
 * Content as an older event carries it, with the initial values of the fields that the table has gained since. Returns the same
 * object when nothing is missing.
 */
export const wholeContent = (content: CampaignContent): CampaignContent => wholeRecord(CONTENT_FIELDS, content) as CampaignContent

/** The same for one top-level key. */
export const wholeValue = (key: string, value: unknown): unknown =>
  Object.hasOwn(CONTENT_FIELDS, key) ? whole(CONTENT_FIELDS[key as keyof CampaignContent], value) : value

/** The same for the values of a change, which may be a record or an element of a list. */
export function wholeChange(change: Change): Change {
  if (!isComposite(change.from) && !isComposite(change.to)) return change
  const field = fieldAt(change.path)
  if (field === null) return change
  return { ...change, from: whole(field, change.from) as Json, to: whole(field, change.to) as Json }
}

export const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null

function whole({ shape }: Field, value: unknown): unknown {
  if (!isComposite(value)) return value
  if (shape.kind === 'record') return wholeRecord(shape.fields, value)
  if (shape.kind !== 'list' || !Array.isArray(value)) return value
  const { item } = shape
  const elements = value.map((element: unknown) => whole(item, element))
  return elements.every((element, index) => element === value[index]) ? value : elements
}

function wholeRecord(fields: Readonly<Record<string, Field>>, value: object): object {
  const known = value as Readonly<Record<string, unknown>>
  let result: Record<string, unknown> | null = null
  for (const key in fields) {
    const field = fields[key]
    if (field === undefined) continue
    const now = Object.hasOwn(value, key) ? whole(field, known[key]) : field.initial
    if (now !== known[key]) result = { ...(result ?? known), [key]: now }
  }
  return result ?? value
}

/** The field of a path: `visuals.banners[b1]` is an element of the list. Null for a path outside the table. */
function fieldAt(path: string): Field | null {
  let fields: Readonly<Record<string, Field>> = CONTENT_FIELDS
  let field: Field | undefined
  for (const [, element, key] of path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)) {
    field = element !== undefined ? (field?.shape.kind === 'list' ? field.shape.item : undefined) : own(fields, key ?? '')
    if (field === undefined) return null
    fields = field.shape.kind === 'record' ? field.shape.fields : {}
  }
  return field ?? null
}

const own = (fields: Readonly<Record<string, Field>>, key: string): Field | undefined =>
  Object.hasOwn(fields, key) ? fields[key] : undefined

const sizeOf = ({ shape }: Field): number =>
  shape.kind === 'record'
    ? 1 + Object.values(shape.fields).reduce((sum, field) => sum + sizeOf(field), 0)
    : shape.kind === 'list'
      ? 1 + sizeOf(shape.item)
      : 1

/** Number of fields in the table. It only grows, because events hold every field that ever was. */
export const CONTENT_SIZE = Object.values(CONTENT_FIELDS).reduce((sum, field) => sum + sizeOf(field), 0)
