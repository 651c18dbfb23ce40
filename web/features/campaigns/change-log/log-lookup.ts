import { LOG_FIELDS, type LogGroup } from './log-fields.ts'
import type { Say } from './values.ts'

export type LogField = { readonly path: string; readonly group: LogGroup; readonly order: number; readonly say: Say }

const GROUPS: readonly LogGroup[] = [
  'basicInfo',
  'targeting',
  'geography',
  'dynamicAds',
  'bannerAds',
  'nativeAds',
  'videoAds',
  'tracks',
  'frequency',
  'placement',
  'administration',
  'advancedBidding',
  // What a person changed comes before what followed from it.
  'state',
]

const FIELDS: readonly LogField[] = GROUPS.flatMap((group) =>
  Object.entries(LOG_FIELDS[group]).map(([path, say]) => ({ path, group, say })),
).map((field, order) => ({ ...field, order }))
const byPath = new Map(FIELDS.map((field) => [field.path, field]))

/** A path without the ids of elements. */
export const plainPath = (path: string): string => path.replaceAll(/\[[^\]]*\]/g, '')

/** By exchange and creative, and what it consists of below: every one of them is said by the one field. */
const DECISIONS = 'exchange_decisions'
const DECISION_DEPTH = 3

/** The field that stands at a path; null between fields, above or below them. */
export function fieldAt(path: string): LogField | null {
  const segments = plainPath(path).split('.')
  const known = segments[0] === DECISIONS && segments.length >= DECISION_DEPTH ? DECISIONS : segments.join('.')
  return path === DECISIONS ? null : (byPath.get(known) ?? null)
}

/** The field at a path, or the nearest one that it lies in. */
export function fieldAround(path: string): LogField | null {
  const segments = plainPath(path).split('.')
  for (let length = segments.length; length > 0; length -= 1) {
    const known = byPath.get(segments.slice(0, length).join('.'))
    if (known !== undefined) return known
  }
  return null
}

// A part of something that can be chosen itself is found through it, and nobody looks for the id of an ad.
const isChoice = ({ path }: LogField) =>
  !byPath.has(path.slice(0, Math.max(0, path.lastIndexOf('.')))) && !path.endsWith('_ad.id')

/** Fields to choose one from, by their tabs. */
export const FIELD_CHOICES: readonly { readonly group: LogGroup; readonly paths: readonly string[] }[] = GROUPS.map((group) => ({
  group,
  paths: FIELDS.filter((field) => field.group === group && isChoice(field)).map(({ path }) => path),
}))
