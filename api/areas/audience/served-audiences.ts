import { pinnedVersion, SMALLEST_SERVED } from '#domain/audience/audience'
import type { SegmentSizes } from '#domain/estimates/segments'
import { reachOf, type Actor } from '#domain/kit/access'
import type { CampaignState } from '#domain/campaign/state'
import { listAudiences, versionsOf } from '#projections/audience/queries'
import { idsIn } from '#domain/campaign/saving/references'
import { audienceUses, servingUses, type Named } from '#projections/campaign/list/audience-queries'
import type { AudienceSet } from '#commands/audience/audience-port'
import type { Needs } from '#api/areas/services'

/** A version of an audience that a campaign serves with, as bidders get it. */
export type ServedAudience = {
  readonly id: string
  readonly version: number
  /** White-label whose key hashes the members. */
  readonly whitelabel_id: string
  /** ETag of the members; changes with them. */
  readonly etag: string
  readonly members: number
}

type AudienceKit = Needs<'audiences' | 'db'>

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
  hasAll(head.targeting.segment_audiences.exclude, audiences)

const hasAll = (ids: readonly string[], audiences: readonly Pick<ServedAudience, 'id'>[]): boolean =>
  ids.every((id) => audiences.some((audience) => audience.id === id))

/** The audiences that campaigns serve with, by campaign: those of at least `SMALLEST_SERVED` members now (fine print 62). */
export const servedAudiences = (kit: AudienceKit, states: readonly CampaignState[]) =>
  servedWith(
    kit,
    states.map(({ id, head, causes }) => ({
      id,
      approvedAt: causes.approved?.at ?? null,
      audiences: head.targeting.segment_audiences,
    })),
  )

/** Whether bidders read this version: a campaign that may serve now serves with it. */
export async function isServed(
  kit: AudienceKit,
  { audience_id, version, whitelabel_id, members }: AudienceSet,
): Promise<boolean> {
  if (members < SMALLEST_SERVED) return false
  const named = await servingUses(kit.db, whitelabel_id, audience_id)
  const served = await servedWith(kit, named)
  return named.some(({ id, audiences }) => {
    const own = served.get(id) ?? []
    return hasAll(audiences.exclude, own) && own.some((one) => one.id === audience_id && one.version === version)
  })
}

async function servedWith(kit: AudienceKit, named: readonly Named[]): Promise<ReadonlyMap<string, readonly ServedAudience[]>> {
  const pins = await pinsByCampaign(kit, named)
  const keys = [...pins.values()].flat().map(({ audience_id: audienceId, version }) => ({ audienceId, version }))
  const sets = new Map((await kit.audiences.sets.find(keys)).map((set) => [`${set.audience_id} ${set.version}`, set]))
  return new Map(
    [...pins].map(([campaign, of]) => [
      campaign,
      of.flatMap(({ audience_id: id, version }) => {
        const set = sets.get(`${id} ${version}`)
        return set === undefined || set.members < SMALLEST_SERVED
          ? []
          : [{ id, version, whitelabel_id: set.whitelabel_id, etag: set.etag, members: set.members }]
      }),
    ]),
  )
}
