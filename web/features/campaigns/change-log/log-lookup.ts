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
  // User changes come before their consequences.
  'state',
]

const FIELDS: readonly LogField[] = GROUPS.flatMap((group) => LOG_FIELDS.filter((field) => field.group === group)).map(
  (field, order) => ({ ...field, order }),
)
const byPath = new Map(FIELDS.map((field) => [field.path, field]))

/** Removes the element ids from a path. */
export const plainPath = (path: string): string => path.replaceAll(/\[[^\]]*\]/g, '')

/** Grouped by exchange and creative, with parts below. One field formats all of them. */
const DECISIONS = 'exchange_decisions'
const DECISION_DEPTH = 3

/** Returns the field at exactly this path, or null. */
export function fieldAt(path: string): LogField | null {
  const segments = plainPath(path).split('.')
  const known = segments[0] === DECISIONS && segments.length >= DECISION_DEPTH ? DECISIONS : segments.join('.')
  return path === DECISIONS ? null : (byPath.get(known) ?? null)
}

/** Returns the field at a path, or the nearest field that contains it. */
export function fieldAround(path: string): LogField | null {
  const segments = plainPath(path).split('.')
  for (let length = segments.length; length > 0; length -= 1) {
    const known = byPath.get(segments.slice(0, length).join('.'))
    if (known !== undefined) return known
  }
  return null
}

// Parts of a selectable field are covered by that field. Ids of ads are not useful filters.
const isChoice = ({ path }: LogField) =>
  !byPath.has(path.slice(0, Math.max(0, path.lastIndexOf('.')))) && !path.endsWith('_ad.id')

/** Selectable fields, grouped by tab. */
export const FIELD_CHOICES: readonly { readonly group: LogGroup; readonly paths: readonly string[] }[] = GROUPS.map((group) => ({
  group,
  paths: FIELDS.filter((field) => field.group === group && isChoice(field)).map(({ path }) => path),
}))
