import { isSame } from './creatives/wire-values.ts'
import { mergedForm, mergeFields } from './merge/three-way.ts'
import type { CampaignFormValues } from './form-schema.ts'

/**
 * Returns the form values after a save: the stored campaign with everything typed since the save was sent, or null when nothing
 * was typed. `sent` and `now` are the form values when the save was sent and when its answer arrived.
 */
export function concurrentEdits(
  sent: CampaignFormValues,
  now: CampaignFormValues,
  stored: CampaignFormValues,
): CampaignFormValues | null {
  if (isSame(sent, now)) return null
  const merges = mergeFields(withStoredIds(sent, stored), withStoredIds(now, stored), stored)
  return mergedForm(stored, merges, new Map(merges.map(({ field }) => [field, 'mine'])))
}

type Creative = { readonly id: string | null; readonly fileId: string }

/** Returns the values with the ids assigned to new creatives, which are matched by file. */
function withStoredIds(values: CampaignFormValues, stored: CampaignFormValues): CampaignFormValues {
  const { tracks } = values.tracks
  return {
    ...values,
    banners: adoptIds(values.banners, stored.banners),
    tracks: { ...values.tracks, tracks: adoptIds(tracks, stored.tracks.tracks) },
  }
}

function adoptIds<T extends Creative>(creatives: readonly T[], stored: readonly T[]): T[] {
  const free = stored.filter(({ id }) => creatives.every((one) => one.id !== id))
  return creatives.map((creative) => {
    const at = creative.id === null ? free.findIndex(({ fileId }) => fileId === creative.fileId) : -1
    const [found] = at === -1 ? [] : free.splice(at, 1)
    return found === undefined ? creative : { ...creative, id: found.id }
  })
}

let carried: { readonly id: string; readonly values: CampaignFormValues } | null = null

/** Passes the values typed while a campaign was being created to the form of that campaign, which is another page. */
export const carryOver = (id: string, values: CampaignFormValues) => {
  carried = { id, values }
}

/** Returns the carried values once, then forgets them. */
export function takeCarried(id: string): CampaignFormValues | null {
  const values = carried?.id === id ? carried.values : null
  carried = null
  return values
}
