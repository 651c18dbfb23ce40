import type { Needs } from '#api/areas/services'
import { actorNamer } from '#commands/identity/person'
import { streamOf } from '#domain/campaign/state'
import { statusHistory } from '#proof/status-history'
import { authorize, type Caller } from '#api/http/caller'

/** One page of a campaign's past statuses, newest first. The log is read, so a write before it is always included. */
export async function pageOfStatusHistory(
  { campaigns, people, store }: Needs<'campaigns' | 'people' | 'store'>,
  { actor }: Caller,
  { id, page, size }: { readonly id: string; readonly page: number; readonly size: number },
) {
  const place = await campaigns.placeOf(id)
  authorize(actor, 'campaign.read', place)
  const changes = statusHistory(await store.readStream(streamOf(id))).toReversed()
  const shown = changes.slice(page * size, (page + 1) * size)
  const known = await people.namesOf(
    [...new Set(shown.map((change) => change.actor))].filter((one) => !one.startsWith('system:')),
  )
  const name = actorNamer(actor, place.spaceId, known)
  return {
    current_page: page,
    page_size: size,
    total_size: changes.length,
    data: shown.map((change) => ({
      ...change,
      reasons: [...change.reasons],
      ended: [...change.ended],
      actor: name(change.actor, change.cause),
    })),
  }
}
