import { decodeCampaignEvent, type CampaignEvent } from '#domain/campaign/events'
import { advance, draftOf, initial as initialState, type CampaignState } from '#domain/campaign/state'
import { reject, type Rejection } from '#domain/kit/errors'
import { readMetadata, type Metadata } from '#domain/kit/event-metadata'
import type { StoredEvent } from '#eventstore/event-store'

/** The state of a campaign after stored events, from its first one on or from a state before them. */
export const fold = (history: readonly StoredEvent[], before?: CampaignState): CampaignState =>
  foldWhile(history, () => true, before)

/** The same up to the first event that does not belong to it. `each` sees every event of it, decoded. */
export function foldWhile(
  history: readonly StoredEvent[],
  belongs: (metadata: Metadata) => boolean,
  before: CampaignState = initialState,
  each: (event: CampaignEvent, metadata: Metadata) => void = () => undefined,
): CampaignState {
  const draft = draftOf(before)
  for (const stored of history) {
    const metadata = readMetadata(stored.metadata)
    if (!belongs(metadata)) break
    const event = decodeCampaignEvent(stored)
    advance(draft, event, metadata)
    each(event, metadata)
  }
  return draft
}

/** The state after a revision: every event of its commits is included. Revisions of a stream only grow. */
export const stateAfter = (history: readonly StoredEvent[], revision: number): CampaignState =>
  foldWhile(history, (metadata) => metadata.revision <= revision)

/** The newest revision; 0 without events. */
export function newestRevision(history: readonly StoredEvent[]): number {
  const last = history.at(-1)
  return last === undefined ? 0 : readMetadata(last.metadata).revision
}

export type Replayed =
  | { readonly kind: 'state'; readonly state: CampaignState }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

/**
 * Replays a campaign up to a revision, or to an instant of business time (fine print 24); without either, to its newest event.
 * Rejected: 2 for a revision that does not exist, 11 for an invalid instant, 130 when the campaign did not exist then.
 */
export function replay(history: readonly StoredEvent[], at: { readonly revision?: number; readonly time?: string }): Replayed {
  const { revision, time } = at
  if (revision !== undefined)
    return hasRevision(history, revision) ? { kind: 'state', state: stateAfter(history, revision) } : rejected(NO_REVISION)
  if (time === undefined) return { kind: 'state', state: fold(history) }
  const instant = Date.parse(time)
  if (Number.isNaN(instant)) return rejected(reject(11, [{ path: 'time', code: 11, message: 'Invalid date format' }]))
  const until = new Date(instant).toISOString()
  // Business time of a stream never goes back.
  const state = foldWhile(history, (metadata) => metadata.at <= until)
  return state.revision === 0 ? rejected(reject(130)) : { kind: 'state', state }
}

/** The states after two revisions, from one fold: the later one goes on from the earlier one. Null where one does not exist. */
export function statesAfter(
  history: readonly StoredEvent[],
  one: number,
  other: number,
): { readonly one: CampaignState; readonly other: CampaignState } | null {
  if (!hasRevision(history, one) || !hasRevision(history, other)) return null
  const [first, last] = [Math.min(one, other), Math.max(one, other)]
  let count = 0
  const earlier = foldWhile(
    history,
    (metadata) => metadata.revision <= first,
    initialState,
    () => void (count += 1),
  )
  const later = foldWhile(history.slice(count), (metadata) => metadata.revision <= last, earlier)
  return one <= other ? { one: earlier, other: later } : { one: later, other: earlier }
}

const hasRevision = (history: readonly StoredEvent[], revision: number): boolean =>
  revision >= 1 && revision <= newestRevision(history)

const rejected = (rejection: Rejection): Replayed => ({ kind: 'rejected', rejection })
/** Rejection of a revision that does not exist. */
export const NO_REVISION: Rejection = reject(2, [{ path: 'revision', code: 2, message: 'The campaign never had this revision' }])
