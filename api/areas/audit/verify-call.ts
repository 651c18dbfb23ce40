import { differences, unreadable, type Derive, type Shown } from '#proof/compare'
import { verifyStream } from '#proof/verify'
import { streamOf } from '#domain/campaign/state'
import type { StoredEvent } from '#eventstore/event-store'
import { rowOf, stateRowOf } from '#projections/campaign/list/apply'
import { findCampaign, storedCampaign } from '#projections/campaign/list/queries'
import { revisionsOf } from '#projections/campaign/revisions/apply'
import { storedRevisions } from '#projections/campaign/revisions/queries'
import { fold } from '#proof/replay'
import { ReadModelsBehind } from '#projections/catch-up'
import { authorize, type Caller } from '#api/http/caller'
import type { Place } from '#domain/kit/access'
import type { Needs } from '#api/areas/services'

/** Attempts at comparing a campaign that is written concurrently. */
const ATTEMPTS = 5

/**
 * Verifies the chain, and the read models against a replay, which shows a cut tail (fine print 23). Throws ReadModelsBehind when
 * the log is intact but the read models have not caught up: a difference then proves nothing.
 */
export function createVerifyCall(deps: Needs<'campaigns' | 'db' | 'guards' | 'store'>) {
  /** From the log; if the log has no answer, from the list. */
  async function placeOf(id: string): Promise<Place | null> {
    const place = await deps.campaigns.placeOf(id).catch(() => null)
    if (place !== null) return place
    const row = await findCampaign(deps.db, id)
    return row && { spaceId: row.space_id, whitelabelId: row.whitelabel_id }
  }

  async function shown(id: string): Promise<Shown> {
    const [row, revisions] = await Promise.all([storedCampaign(deps.db, id), storedRevisions(deps.db, id)])
    return { row, revisions }
  }

  /** Whether the read models have reached these events. False when one of the events cannot be decoded. */
  async function isShown(events: readonly StoredEvent[]): Promise<boolean> {
    const last = events.at(-1)
    return last === undefined || (unreadable(events).length === 0 && (await deps.guards.reached(last.position, READ_MODELS)))
  }

  async function compare(id: string) {
    const before = await deps.store.readStream(streamOf(id))
    const models = (await isShown(before)) ? await shown(id) : null
    // Read after the rows: everything the rows show is in the log by then.
    const events = await deps.store.readStream(streamOf(id))
    const { head, faults: broken } = verifyStream(streamOf(id), events)
    const found = unreadable(events)
    // A fault in the log may be what stopped the read models: report it without waiting for them. Success requires them.
    if (models === null && broken.length + found.length === 0) throw new ReadModelsBehind()
    const different = models === null || found.length > 0 ? [] : differences(models, before.length, events, derive(id))
    const faults = [...broken, ...found, ...different]
    return {
      isMoving: events.length > before.length,
      answer: { valid: faults.length === 0, events: events.length, head_hash: head, faults },
    }
  }

  return async function verify(caller: Caller, id: string) {
    authorize(caller.actor, 'log.verify', await placeOf(id))
    let compared = await compare(id)
    // The read models may show part of a commit while it is being applied.
    for (let attempt = 1; attempt < ATTEMPTS && !compared.answer.valid && compared.isMoving; attempt++)
      compared = await compare(id)
    return compared.answer
  }
}

const derive = (id: string): Derive => ({
  row: (events) => {
    const state = fold(events)
    const campaign = { id, state, version: events.length, position: events.at(-1)?.position ?? 0n }
    return { ...rowOf(campaign), ...stateRowOf(campaign) }
  },
  revisions: revisionsOf,
})

const READ_MODELS = ['campaign-list', 'campaign-revisions']
