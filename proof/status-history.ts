import { decodeCampaignEvent } from '#domain/campaign/events'
import { advance, draftOf, initial as initialState } from '#domain/campaign/state'
import { reasonsOf, statusOf } from '#domain/campaign/status/status'
import type { StatusKey } from '#domain/campaign/status/status-keys'
import { readMetadata } from '#domain/kit/event-metadata'
import type { StoredEvent } from '#eventstore/event-store'

/** A commit after which the status or its reasons were other than before it. */
export type StatusChange = {
  readonly revision: number
  /** Business time, ISO 8601. */
  readonly at: string
  readonly status_key: StatusKey
  /** Null for the first one. */
  readonly previous_status_key: StatusKey | null
  /** Keys of all reasons since then, the deciding one first. */
  readonly reasons: readonly string[]
  /** Keys of the reasons that this commit ended. */
  readonly ended: readonly string[]
  /** The last event of the commit, and its author. */
  readonly cause: string
  readonly actor: string
}

/**
 * Past statuses of a campaign from all its events, oldest first. Derived as the present status is, so the newest entry always agrees
 * with it. The schedule grid is left out: its reason comes and goes with the hour and no event records it.
 */
export function statusHistory(history: readonly StoredEvent[]): readonly StatusChange[] {
  const changes: StatusChange[] = []
  const state = draftOf(initialState)
  for (const [i, stored] of history.entries()) {
    const { revision, at, actor } = readMetadata(stored.metadata)
    advance(state, decodeCampaignEvent(stored), readMetadata(stored.metadata))
    // A commit counts as a whole: within one, the status may pass through values that never showed.
    const next = history[i + 1]
    if (next !== undefined && readMetadata(next.metadata).revision === revision) continue
    const status_key = statusOf(state)
    const reasons = reasonsOf(state).map(({ key }) => key)
    const before = changes.at(-1)
    if (before !== undefined && before.status_key === status_key && before.reasons.join() === reasons.join()) continue
    changes.push({
      revision,
      at,
      status_key,
      previous_status_key: before?.status_key ?? null,
      reasons,
      ended: (before?.reasons ?? []).filter((key) => !reasons.includes(key)),
      cause: stored.type,
      actor,
    })
  }
  return changes
}
