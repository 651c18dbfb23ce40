import type { Campaign } from '#contract/campaign-body'
import { readInstant } from '#domain/campaign/content/dates'
import type { Change, State } from '@/features/campaigns/change-log/field-changes'
import { LOG_FIELDS } from '@/features/campaigns/change-log/log-fields'
import { isObject } from '@/features/campaigns/change-log/values'
import { fieldOfPath } from '../form-faults.ts'
import { toForm, toPayload } from '../form-mapping.ts'
import type { CampaignFormValues } from '../form-schema.ts'
import { isSame } from '../creatives/wire-values.ts'
import type { FieldMerge } from './three-way.ts'

/** The three versions in wire format, which the change log formats. */
export type Versions = { readonly base: State; readonly mine: State; readonly theirs: State }
/** One value of a field, and the change of each side. */
export type Line = { readonly path: string; readonly mine: Change; readonly theirs: Change }

/** `values` is the user's unsaved version of `base`. */
export function versionsOf(base: Campaign, values: CampaignFormValues, theirs: Campaign): Versions {
  const sent = toPayload(values, base)
  const zone = base.timezone_offset_seconds ?? 0
  // A new day is sent as a day; all other dates are formatted as instants.
  const instant = (day: unknown, edge: 'start' | 'end') => (typeof day === 'string' ? readInstant(day, edge, zone) : day)
  const dates = {
    campaign_start_at: instant(sent.campaign_start_at, 'start'),
    campaign_end_at: instant(sent.campaign_end_at, 'end'),
  }
  return { base, mine: { ...base, ...sent, ...dates }, theirs }
}

/** Ids and technical fields are not shown for a choice. */
const PATHS = LOG_FIELDS.map(({ path }) => path).filter((path) => !/\.(id|isManual)$/.test(path))

/** The log paths of each form field. Paths inside another path are covered by it. */
function pathsByField(base: Campaign): ReadonlyMap<string, readonly string[]> {
  const { banners, ...slices } = toForm(base)
  const paths = new Map<string, readonly string[]>()
  for (const path of PATHS) {
    const field = fieldOfPath(path, { banners, slices })
    const known = field === null ? [] : (paths.get(field) ?? [])
    if (field !== null && !known.some((above) => path.startsWith(`${above}.`))) paths.set(field, [...known, path])
  }
  return paths
}

const CREATIVES: Readonly<Record<string, string>> = { banners: 'visuals.banners', 'tracks.tracks': 'audio_ads' }

/** Returns every merged field with its values, in the order of the form. */
export function linesOf(
  merges: readonly FieldMerge[],
  versions: Versions,
  base: Campaign,
): ReadonlyMap<FieldMerge, readonly Line[]> {
  const paths = pathsByField(base)
  return new Map(merges.map((merge) => [merge, creativeLine(merge) ?? fieldLines(merge, paths.get(merge.field) ?? [], versions)]))
}

function fieldLines(
  { field, ...values }: FieldMerge,
  paths: readonly string[],
  { base, mine, theirs }: Versions,
): readonly Line[] {
  const lines = paths
    .map((path) => lineOf(path, valueAt(base, path), valueAt(mine, path), valueAt(theirs, path)))
    .filter((line) => !isSame(line.mine.from, line.mine.to) || !isSame(line.theirs.from, line.theirs.to))
  // A composite field has a line for each part. For duplicated values, such as the click address, the first line is enough.
  if (lines.length > 0) return isObject(values.theirs) ? lines : lines.slice(0, 1)
  return [lineOf(field, values.base, values.mine, values.theirs)]
}

/** One creative of a list: present, absent or changed. */
function creativeLine({ field, base, mine, theirs }: FieldMerge): readonly Line[] | null {
  const [, list = '', id = ''] = /^([^[]+)\[(.+)\]$/.exec(field) ?? []
  const path = CREATIVES[list]
  return path === undefined ? null : [lineOf(`${path}[${id}]`, asList(base), asList(mine), asList(theirs))]
}

const lineOf = (path: string, from: unknown, mine: unknown, theirs: unknown): Line => ({
  path,
  mine: { path, from, to: mine },
  theirs: { path, from, to: theirs },
})

const asList = (element: unknown): readonly unknown[] =>
  isObject(element) ? [{ ...element, creative_name: element['creativeName'] }] : []

const valueAt = (state: State, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), state)
