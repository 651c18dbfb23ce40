import { decodeCampaignEvent } from '#domain/campaign/events'
import { advance, draftOf, initial as initialState, type CampaignState } from '#domain/campaign/state'
import { reject, type Rejection } from '#domain/kit/errors'
import { readMetadata } from '#domain/kit/event-metadata'
import type { StoredEvent } from '#eventstore/event-store'

/** The state of a campaign after stored events, from its first one on or from a state before them. */
export function fold(history: readonly StoredEvent[], before: CampaignState = initialState): CampaignState {
  const draft = draftOf(before)
  for (const stored of history) advance(draft, decodeCampaignEvent(stored), readMetadata(stored.metadata))
  return draft
}

/** The state after a revision: every event of its commits is included. */
export const stateAfter = (history: readonly StoredEvent[], revision: number): CampaignState =>
  fold(history.filter(({ metadata }) => readMetadata(metadata).revision <= revision))

export type Replayed =
  | { readonly kind: 'state'; readonly state: CampaignState }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

/**
 * Replays a campaign up to a revision, or to an instant of business time (fine print 24); without either, to its newest event.
 * Rejected: 2 for a revision that does not exist, 11 for an invalid instant, 130 when the campaign did not exist then.
 */
export function replay(history: readonly StoredEvent[], at: { readonly revision?: number; readonly time?: string }): Replayed {
  const { revision, time } = at
  const newest = fold(history)
  if (revision !== undefined)
    return revision >= 1 && revision <= newest.revision
      ? { kind: 'state', state: stateAfter(history, revision) }
      : rejected(reject(2, [{ path: 'revision', code: 2, message: 'The campaign never had this revision' }]))
  if (time === undefined) return { kind: 'state', state: newest }
  const instant = Date.parse(time)
  if (Number.isNaN(instant)) return rejected(reject(11, [{ path: 'time', code: 11, message: 'Invalid date format' }]))
  const until = new Date(instant).toISOString()
  const state = fold(history.filter(({ metadata }) => readMetadata(metadata).at <= until))
  return state.revision === 0 ? rejected(reject(130)) : { kind: 'state', state }
}

const rejected = (rejection: Rejection): Replayed => ({ kind: 'rejected', rejection })
