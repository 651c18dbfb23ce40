import { fold } from '../../../commands/campaign/campaign-commands.ts'
import { streamOf } from '../../../domain/campaign/state.ts'
import type { EventStore } from '../../../eventstore/event-store.ts'
import type { Place } from '../caller.ts'

const REMEMBERED = 20_000

/** Where a campaign belongs; null when there is none with this id. Its first event says so for good, so that it is read once. */
export function createPlaces(store: EventStore): (id: string) => Promise<Place | null> {
  const known = new Map<string, Place>()
  return async (id) => {
    const remembered = known.get(id)
    if (remembered !== undefined) return remembered
    const [first] = await store.readStream(streamOf(id))
    if (first === undefined) return null
    const { space_id, whitelabel_id } = fold([first])
    const place = { spaceId: space_id, whitelabelId: whitelabel_id }
    if (known.size >= REMEMBERED) known.clear()
    known.set(id, place)
    return place
  }
}
