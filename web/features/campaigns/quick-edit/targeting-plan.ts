import type { Campaign } from '#contract/campaign-body'
import { AUDIENCE_LANGUAGES, codesOf, CONNECTION_TYPES, DEVICE_TYPES } from '#domain/campaign/content/options'
import { EVERY_HOUR, hoursOf, savedHours, type Scheduled } from './hours-list.ts'
import type { QuickValues } from './save-fields.ts'

/** Effect of a bulk edit of targeting on one campaign. Pure. */

/** Parts of the targeting that bulk edits change. Every one but the device is a list, and an empty list means all. Hours are never empty. */
export const PARTS = ['cities', 'languages', 'connections', 'appLanguages', 'device', 'hours'] as const
export type Part = (typeof PARTS)[number]
export const LIST_HOWS = ['add', 'remove', 'replace'] as const
export type ListHow = (typeof LIST_HOWS)[number]

/** The values that a part offers, but for cities, which belong to a country. */
export const OFFERED = {
  languages: AUDIENCE_LANGUAGES,
  connections: CONNECTION_TYPES,
  appLanguages: AUDIENCE_LANGUAGES,
  device: Object.values(DEVICE_TYPES),
  hours: EVERY_HOUR,
} as const satisfies Readonly<Record<Exclude<Part, 'cities'>, readonly string[]>>

export type TargetingChange = {
  readonly part: Part
  readonly how: ListHow
  /** At least one; a device is one of `DEVICE_TYPES`. */
  readonly values: readonly string[]
  /** The country of the cities. */
  readonly country: string | null
}

export type Targeted = Pick<Campaign, 'country' | 'targeting' | 'placement'> & Scheduled

export type TargetingRefusal = 'automatic' | 'otherCountry' | 'allAlready' | 'noList' | 'nothingLeft'

/** `now` and `next` are the lists before and after. */
export type TargetingPlan =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'refused'; readonly now: readonly string[]; readonly reason: TargetingRefusal }
  | { readonly kind: 'same'; readonly now: readonly string[] }
  | {
      readonly kind: 'changed'
      readonly now: readonly string[]
      readonly next: readonly string[]
      readonly was: QuickValues
      readonly fields: QuickValues
    }

/** The values of a part. */
export function listOf(content: Targeted, part: Part): readonly string[] {
  const { targeting, placement } = content
  switch (part) {
    case 'cities':
      return targeting.city_ids
    case 'languages':
      return targeting.target_languages
    case 'connections':
      return targeting.connection_types
    case 'appLanguages':
      return placement.languages
    case 'device':
      return [nameOfDevice(placement.device_type_key)]
    case 'hours':
      return hoursOf(content)
  }
}

const NAMES: Readonly<Record<number, string>> = DEVICE_TYPES
const nameOfDevice = (key: number): string => NAMES[key] ?? String(key)
const isOfTargeting = (part: Part) => part === 'cities' || part === 'languages' || part === 'connections'

/** The plan of a campaign; waiting while its content is null. Values keep their order, and new ones follow them; hours are in that of the week. */
export function targetingPlan(content: Targeted | null, change: TargetingChange): TargetingPlan {
  if (content === null) return { kind: 'waiting' }
  const { part, how, values, country } = change
  const now = listOf(content, part)
  const refused = (reason: TargetingRefusal) => ({ kind: 'refused', now, reason }) as const
  // Automatic targeting does not read the lists, so a change of them would do nothing.
  if (isOfTargeting(part) && content.targeting.automaticTargeting) return refused('automatic')
  if (part === 'cities' && how !== 'remove' && content.country !== country) return refused('otherCountry')
  if (now.length === 0 && how === 'add') return refused('allAlready')
  if (now.length === 0 && how === 'remove') return refused('noList')
  const changed = changedList(now, how, values)
  const next = part === 'hours' ? EVERY_HOUR.filter((hour) => changed.includes(hour)) : changed
  // An empty list would widen the campaign to all.
  if (next.length === 0) return refused('nothingLeft')
  if (next.length === now.length && next.every((value) => now.includes(value))) return { kind: 'same', now }
  return { kind: 'changed', now, next, ...saveOf(content, part, next) }
}

function changedList(now: readonly string[], how: ListHow, values: readonly string[]): readonly string[] {
  if (how === 'remove') return now.filter((value) => !values.includes(value))
  return [...new Set(how === 'add' ? [...now, ...values] : values)]
}

/** Records are saved whole: what else they hold stays as it is. */
function saveOf(
  content: Targeted,
  part: Part,
  next: readonly string[],
): { readonly was: QuickValues; readonly fields: QuickValues } {
  const { targeting, placement, freq_and_scheduling_on, frequency_cap, scheduling } = content
  const list = [...next]
  switch (part) {
    case 'cities':
      return { was: { targeting }, fields: { targeting: { ...targeting, city_ids: list } } }
    case 'languages':
      return { was: { targeting }, fields: { targeting: { ...targeting, target_languages: list } } }
    case 'connections':
      return { was: { targeting }, fields: { targeting: { ...targeting, connection_types: list } } }
    case 'appLanguages':
      return { was: { placement }, fields: { placement: { ...placement, languages: list } } }
    case 'device': {
      const key = codesOf(DEVICE_TYPES).find((code) => NAMES[code] === list[0]) ?? placement.device_type_key
      return { was: { placement }, fields: { placement: { ...placement, device_type_key: key } } }
    }
    case 'hours':
      return { was: { freq_and_scheduling_on, frequency_cap, scheduling }, fields: savedHours(content, next) }
  }
}
