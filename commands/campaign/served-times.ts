import { streamOf } from '#domain/campaign/state'
import type { EventStore } from '#eventstore/event-store'
import { servingIntervals, type ServingInterval } from '#proof/serving'

/** Most campaigns whose serving intervals are kept in memory. */
const REMEMBERED = 20_000

/** When campaigns served, from the log. `version` is the number of events that the caller knows of: intervals change with events alone. */
export function createServedTimes(store: Pick<EventStore, 'readStream'>) {
  const remembered = new Map<string, { readonly version: number; readonly served: readonly ServingInterval[] }>()
  return async function servedOf(id: string, version: number): Promise<readonly ServingInterval[]> {
    const known = remembered.get(id)
    if (known?.version === version) return known.served
    const history = await store.readStream(streamOf(id))
    const served = servingIntervals(history)
    if (remembered.size >= REMEMBERED) remembered.clear()
    remembered.set(id, { version: history.length, served })
    return served
  }
}
