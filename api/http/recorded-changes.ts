import { beginning } from '#domain/kit/text'

/** A setting before and after a call. */
export type RecordedChange = { readonly field: string; readonly from: unknown; readonly to: unknown }

/** Longest value and longest list of changes in a security event, characters. */
const MOST_OF_VALUE = 200
const MOST_OF_CHANGES = 4000

const changesOf = new WeakMap<object, string>()

const shown = (value: unknown): string =>
  beginning(typeof value === 'string' ? value : JSON.stringify(value ?? null), MOST_OF_VALUE)

/** Notes what a call changes, for its security event (fine print 52). */
export function noteChanges(request: object, changes: readonly RecordedChange[]): void {
  const lines = changes.map(({ field, from, to }) => `${field}: ${shown(from)} → ${shown(to)}`)
  if (lines.length > 0) changesOf.set(request, beginning(lines.join('\n'), MOST_OF_CHANGES))
}

/** Changes that were noted; empty without any. */
export const notedChanges = (request: object): string => changesOf.get(request) ?? ''

/** The fields whose values differ. */
export const between = <T extends object>(from: T, to: T, prefix = ''): readonly RecordedChange[] =>
  (Object.keys(to) as (keyof T & string)[])
    .filter((field) => JSON.stringify(from[field]) !== JSON.stringify(to[field]))
    .map((field) => ({ field: `${prefix}${field}`, from: from[field], to: to[field] }))
