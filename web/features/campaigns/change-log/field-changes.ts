import type { LogGroup } from './log-fields.ts'
import { fieldAround, fieldAt, plainPath } from './log-lookup.ts'
import { isObject } from './values.ts'

/** A difference in its wire format. */
export type Change = { readonly path: string; readonly from?: unknown; readonly to?: unknown }
export type State = Readonly<Record<string, unknown>>

const LAST = Number.MAX_SAFE_INTEGER
const orderOf = ({ path }: Change) => fieldAround(path)?.order ?? LAST
const inOrder = (changes: readonly Change[]) => [...changes].sort((a, b) => orderOf(a) - orderOf(b))

export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * Returns differences field by field, in the order of the form. Changes of whole sections (all of targeting, an ad) are split
 * into fields. Changes from empty to empty, such as a new empty list, are omitted unless there is no other change.
 */
export function fieldChanges(changes: readonly Change[]): readonly Change[] {
  const apart = changes.flatMap(({ path, from, to }) => split(path, from, to))
  const telling = apart.filter(({ from, to }) => !isBlank(from) || !isBlank(to))
  return inOrder(telling.length > 0 ? telling : apart)
}

function split(path: string, from: unknown, to: unknown): readonly Change[] {
  const whole = fieldAt(path) !== null || (!isObject(from) && !isObject(to)) || Array.isArray(from) || Array.isArray(to)
  if (whole) return [{ path, from, to }]
  const before = isObject(from) ? from : {}
  const after = isObject(to) ? to : {}
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys.filter((key) => !same(before[key], after[key])).flatMap((key) => split(`${path}.${key}`, before[key], after[key]))
}

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Returns every unchanged field of a state, as a change from itself to itself. */
export function untouched(state: State, changes: readonly Change[]): readonly Change[] {
  const changed = new Set(changes.map(({ path }) => plainPath(path)))
  const around = new Set([...changed].flatMap(withParents))
  const fields = Object.entries(state)
    .flatMap(([key, value]) => leaves(key, value))
    // A missing ad has no field of its own.
    .filter(({ path, to }) => to !== null || fieldAround(path) !== null)
  return inOrder(fields.filter(({ path }) => !around.has(path) && !withParents(path).some((above) => changed.has(above))))
}

const withParents = (path: string): readonly string[] =>
  path.split('.').map((_, index, segments) => segments.slice(0, index + 1).join('.'))

function leaves(path: string, value: unknown): readonly Change[] {
  if (fieldAt(path) !== null || !isObject(value)) return [{ path, from: value, to: value }]
  return Object.entries(value).flatMap(([key, inner]) => leaves(`${path}.${key}`, inner))
}

export type ChangeGroup = { readonly group: LogGroup | null; readonly changes: readonly Change[] }

/** Groups changes by the tabs of the form; unknown fields come last. */
export function grouped(changes: readonly Change[]): readonly ChangeGroup[] {
  const groups = new Map<LogGroup | null, Change[]>()
  for (const change of inOrder(changes)) {
    const group = fieldAround(change.path)?.group ?? null
    groups.set(group, [...(groups.get(group) ?? []), change])
  }
  return [...groups].map(([group, within]) => ({ group, changes: within }))
}
