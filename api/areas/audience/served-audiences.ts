import { pinnedVersion } from '#domain/audience/audience'
import type { Selection } from '#domain/campaign/content/content'
import type { SegmentSizes } from '#domain/estimates/segments'
import { reachOf, type Actor } from '#domain/kit/access'
import type { CampaignState } from '#domain/campaign/state'
import { listAudiences, versionsOf } from '#projections/audience/queries'
import { audienceUses, idsIn } from '#projections/campaign/list/audience-queries'
import type { AudienceOwn } from './uses.ts'

/** A version of an audience that a campaign serves with, as bidders get it. */
export type ServedAudience = {
  readonly id: string
  readonly version: number
  /** Whose key its members are hashed with. */
  readonly whitelabel_id: string
  /** Of the members; changes with them. */
  readonly etag: string
  readonly members: number
}

type AudienceKit = Pick<AudienceOwn, 'audiences' | 'db'>
type Named = { readonly id: string; readonly approvedAt: string | null; readonly audiences: Selection }

/** The versions that campaigns use, by campaign: of each audience the one that was ready when the campaign was approved. */
async function pinsByCampaign({ db }: Pick<AudienceKit, 'db'>, campaigns: readonly Named[]) {
  const ids = [...new Set(campaigns.flatMap(({ audiences }) => idsIn(audiences)))]
  const versions = ids.length === 0 ? [] : await versionsOf(db, ids)
  const ready = new Map<string, { readonly version: number; readonly at: string }[]>()
  for (const { audience_id: id, status, version, finished_at: at } of versions)
    if (status === 'ready' && at !== null) ready.set(id, [...(ready.get(id) ?? []), { version, at }])
  return new Map(
    campaigns.map(({ id, approvedAt, audiences }) => [
      id,
      idsIn(audiences).flatMap((audience) => {
        const version = pinnedVersion(ready.get(audience) ?? [], approvedAt)
        return version === null ? [] : [{ audience_id: audience, version }]
      }),
    ]),
  )
}

export type Pin = { readonly audience_id: string; readonly version: number }

/** Every version that a campaign of these accounts uses. */
export async function pinsOf(kit: Pick<AudienceKit, 'db'>, spaceIds: readonly string[]): Promise<readonly Pin[]> {
  const uses = await audienceUses(kit.db, spaceIds)
  const pins = await pinsByCampaign(
    kit,
    uses.map(({ id, approved_at: approvedAt, audiences }) => ({ id, approvedAt, audiences })),
  )
  return [...pins.values()].flat()
}

/** Members now of those of these audiences that a user reaches, for estimates. */
export async function segmentSizes({ db }: Pick<AudienceKit, 'db'>, actor: Actor, ids: readonly string[]): Promise<SegmentSizes> {
  const scope = reachOf(actor, 'audience.read') ?? 'space'
  const { rows } = await listAudiences(db, {
    spaceId: scope === 'space' ? actor.homeSpaceId : null,
    whitelabelId: scope === 'whitelabel' ? actor.whitelabelId : null,
    ids,
    name: '',
    kind: null,
    status: null,
    page: 0,
    size: ids.length,
  })
  return new Map(rows.map(({ id, members }) => [id, members]))
}

/** Whether a campaign may be served with these audiences: one that it excludes and that is missing would let excluded people through. */
export const hasExcluded = ({ head }: CampaignState, audiences: readonly Pick<ServedAudience, 'id'>[]): boolean =>
  head.targeting.segment_audiences.exclude.every((id) => audiences.some((audience) => audience.id === id))

/** The audiences that running campaigns serve with, by campaign. */
export async function servedAudiences(
  kit: AudienceKit,
  states: readonly CampaignState[],
): Promise<ReadonlyMap<string, readonly ServedAudience[]>> {
  const named = states.map(({ id, head, causes }) => ({
    id,
    approvedAt: causes.approved?.at ?? null,
    audiences: head.targeting.segment_audiences,
  }))
  const pins = await pinsByCampaign(kit, named)
  const keys = [...pins.values()].flat().map(({ audience_id: audienceId, version }) => ({ audienceId, version }))
  const sets = new Map((await kit.audiences.sets.find(keys)).map((set) => [`${set.audience_id} ${set.version}`, set]))
  return new Map(
    [...pins].map(([campaign, of]) => [
      campaign,
      of.flatMap(({ audience_id: id, version }) => {
        const set = sets.get(`${id} ${version}`)
        return set === undefined ? [] : [{ id, version, whitelabel_id: set.whitelabel_id, etag: set.etag, members: set.members }]
      }),
    ]),
  )
}
