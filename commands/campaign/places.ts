import { fold } from '#proof/replay'
import { streamOf } from '#domain/campaign/state'
import type { EventStore } from '#eventstore/event-store'
import type { Place } from '#domain/kit/access'

const REMEMBERED = 20_000

/** The place of a campaign; null for an unknown id. Read once: the first event fixes it. */
export function createPlaces(store: EventStore): (id: string) => Promise<Place | null> {
  const known = new Map<string, Place>()
  return async (id) => {
    const remembered = known.get(id)
    if (remembered !== undefined) return remembered
    const [first] = await store.readStream(streamOf(id), 0, 1)
    if (first === undefined) return null
    const { space_id, whitelabel_id } = fold([first])
    const place = { spaceId: space_id, whitelabelId: whitelabel_id }
    if (known.size >= REMEMBERED) known.clear()
    known.set(id, place)
    return place
  }
}
