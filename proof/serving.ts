import { decodeCampaignEvent } from '#domain/campaign/events'
import { advance, draftOf, initial as initialState } from '#domain/campaign/state'
import { statusOf } from '#domain/campaign/status/status'
import { readMetadata } from '#domain/kit/event-metadata'
import type { StoredEvent } from '#eventstore/event-store'

/** Statuses in which a campaign serves: running, also while its day budget is reached, because impressions already bought still arrive. */
const SERVING: ReadonlySet<number> = new Set([3, 31])

export type ServingInterval = { readonly from: string; readonly to: string | null }

/** When a campaign served, oldest first, from all its events; `to` is null while it serves. Business time, ISO 8601. */
export function servingIntervals(history: readonly StoredEvent[]): readonly ServingInterval[] {
  const intervals: ServingInterval[] = []
  const state = draftOf(initialState)
  let from: string | null = null
  let ended: string | null = null
  for (const [i, stored] of history.entries()) {
    const meta = readMetadata(stored.metadata)
    const event = decodeCampaignEvent(stored)
    advance(state, event, meta)
    // A flight ends at its end, however much later the policy recorded it.
    if (event.type === 'FlightChanged' && event.data.flight === 'ended') ended = event.data.due
    // A commit counts as a whole: within one, the status may pass through values that never showed.
    const next = history[i + 1]
    if (next !== undefined && readMetadata(next.metadata).revision === meta.revision) continue
    const serves = SERVING.has(statusOf(state))
    if (serves && from === null) from = meta.at
    if (!serves && from !== null) {
      const to = ended !== null && ended < meta.at ? ended : meta.at
      if (to > from) intervals.push({ from, to })
      from = null
    }
    ended = null
  }
  return from === null ? intervals : [...intervals, { from, to: null }]
}
