import { equal, type Json } from '#domain/kit/json-changes'
import type { CampaignContent, Selection } from '../content/content.ts'
import { filesOf, type FileUse } from '../content/creatives.ts'
import type { CampaignState } from '../state.ts'

/** A stored file, described by its own content. */
export type FileFacts = {
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** Pixels; the size an archive was uploaded for. Null for sound. */
  readonly width: number | null
  readonly height: number | null
  /** Null for types without a duration. */
  readonly seconds: number | null
}

/** External references of a save, as currently known. Only references that the save adds are looked up. */
export type References = {
  /** Files that were looked up and are missing, or not usable by the space. */
  readonly missingFiles: ReadonlySet<string>
  readonly files: ReadonlyMap<string, FileFacts>
  /** Paths of the targeting that name unknown values. */
  readonly unknownTargets: ReadonlySet<string>
  /** Whether an uploaded list among `sizedAudiences` has fewer members than are served. */
  readonly smallAudiences: boolean
  readonly appKnown: boolean
}

export const NOTHING_LOOKED_UP: References = {
  missingFiles: new Set(),
  files: new Map(),
  unknownTargets: new Set(),
  smallAudiences: false,
  appKnown: true,
}

/** Uses of files that `next` has and `before` has not: the same file in another place is another use. */
export function newUses(before: CampaignContent, next: CampaignContent): readonly FileUse[] {
  if (before === next) return []
  const known = new Set(filesOf(before).map(useKey))
  return filesOf(next).filter((use) => !known.has(useKey(use)))
}
const useKey = ({ role, width, height, id }: FileUse): string => `${role} ${width}x${height} ${id}`

export type TargetNames = {
  readonly country: string | null
  readonly city_ids: readonly string[]
  readonly apps: readonly string[]
  readonly segment_audiences: readonly string[]
}

/** Ids that a selection names. */
export const idsIn = ({ includeAny, include, exclude }: Selection): readonly string[] => [...includeAny, ...include, ...exclude]

/** References of the targeting and the placement; null when neither changed. */
export function newTargets(before: CampaignContent, next: CampaignContent): TargetNames | null {
  const apart = (a: Json, b: Json) => !equal(a, b)
  const moved = next.country !== before.country
  const cities = moved || apart(before.targeting.city_ids, next.targeting.city_ids) ? next.targeting.city_ids : []
  const apps = apart(before.targeting.apps, next.targeting.apps) ? idsIn(next.targeting.apps) : []
  const audiences = apart(before.targeting.segment_audiences, next.targeting.segment_audiences)
    ? idsIn(next.targeting.segment_audiences)
    : []
  if (cities.length + apps.length + audiences.length === 0) return null
  return { country: next.country, city_ids: cities, apps, segment_audiences: audiences }
}

/**
 * Audiences whose size counts for a save (fine print 62): all of a first publication, else those that it adds. An approved campaign keeps
 * its own.
 */
export function sizedAudiences(
  { head, approved }: Pick<CampaignState, 'head' | 'approved'>,
  next: CampaignContent,
  publishing: boolean,
): readonly string[] {
  const kept = new Set(publishing && approved === null ? [] : idsIn(head.targeting.segment_audiences))
  return idsIn(next.targeting.segment_audiences).filter((id) => !kept.has(id))
}

/** The promoted app, when the save changes it; null otherwise. */
export function newApp(
  before: CampaignContent,
  next: CampaignContent,
): { readonly platform: string; readonly bundleId: string } | null {
  const [old, now] = [before.bidding_strategy.app_promotion, next.bidding_strategy.app_promotion]
  if (now.bundle_id === null || now.app_platform_type === null) return null
  if (now.bundle_id === old.bundle_id && now.app_platform_type === old.app_platform_type) return null
  return { platform: now.app_platform_type, bundleId: now.bundle_id }
}
