import type { PlaceKey } from '@/features/campaigns/form/creatives/places'

/** A file as the recognisers found it. */
export type Candidate = {
  readonly id: number
  /** The places that it fits, the best one first. */
  readonly fits: readonly PlaceKey[]
  /** Why it fits no place, as a translation key. */
  readonly reason: string | null
  /** Digest of its content; null where the browser computes none. */
  readonly content: string | null
  /** A creative of this name and size is in the campaign: it is added only on request. */
  readonly alike: boolean
}
export type Sorted = {
  readonly place: PlaceKey | null
  /** Why it has no place, as a translation key; null for files that the user left out. */
  readonly reason: string | null
}

export const TWICE = 'creatives:sort.twice'
export const THERE = 'creatives:banner.duplicate'
export const ALIKE = 'creatives:sort.alike'
export const FULL = 'creatives:sort.full'

type Choices = ReadonlyMap<number, PlaceKey | null>

/**
 * Assigns files to places: first the user's choices, of which the latest wins a place, then every other file to the first place that it
 * fits and that has room. Contents that are in the campaign or came before are left out.
 */
export function sortFiles(
  files: readonly Candidate[],
  room: Readonly<Record<PlaceKey, number>>,
  there: ReadonlySet<string>,
  choices: Choices = new Map(),
): ReadonlyMap<number, Sorted> {
  const left = { ...room }
  const sorted = new Map<number, Sorted>()
  const without = duplicatesOf(files, there)
  const byId = new Map(files.map((file) => [file.id, file]))
  for (const [id, choice] of [...choices].toReversed()) {
    const file = byId.get(id)
    if (file === undefined || without.has(id)) continue
    if (choice === null) sorted.set(id, { place: null, reason: null })
    else if (file.fits.includes(choice) && left[choice] > 0) {
      left[choice] -= 1
      sorted.set(id, { place: choice, reason: null })
    }
  }
  for (const { id, fits, reason, alike } of files) {
    if (sorted.has(id)) continue
    const known = reason ?? without.get(id) ?? (alike && !choices.has(id) ? ALIKE : null)
    const place = known === null ? (fits.find((key) => left[key] > 0) ?? null) : null
    if (place !== null) left[place] -= 1
    sorted.set(id, { place, reason: place === null ? (known ?? FULL) : null })
  }
  return sorted
}

/** Files whose content the campaign has, or that came before in the same drop, with the reason. */
function duplicatesOf(files: readonly Candidate[], there: ReadonlySet<string>): ReadonlyMap<number, string> {
  const seen = new Set<string>()
  const found = new Map<number, string>()
  for (const { id, content, fits } of files) {
    if (content === null || fits.length === 0) continue
    if (there.has(content)) found.set(id, THERE)
    else if (seen.has(content)) found.set(id, TWICE)
    seen.add(content)
  }
  return found
}
