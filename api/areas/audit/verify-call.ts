import { fold } from '../../../commands/campaign/campaign-commands.ts'
import { readMetadata } from '../../../domain/kit/event-metadata.ts'
import { verifyStream } from '../../../proof/verify.ts'
import { logState } from '../../../domain/campaign/log-state.ts'
import { streamOf, type CampaignState } from '../../../domain/campaign/state.ts'
import { statusOf } from '../../../domain/campaign/status/status.ts'
import type { StoredEvent } from '../../../eventstore/event-store.ts'
import { findCampaign, type ListedCampaign } from '../../../projections/campaign-list/queries.ts'
import { revisionPage, type RevisionEntry } from '../../../projections/campaign-revisions/queries.ts'
import { ReadModelsBehind } from '../../kit/behind.ts'
import { authorize, type Caller, type Place } from '../../kit/caller.ts'
import type { CampaignKit } from '../../kit/campaigns/readable-campaign.ts'

/** What the read models show of one campaign. */
type Shown = { readonly row: ListedCampaign | null; readonly newest: RevisionEntry | undefined; readonly total: number }

/** Attempts at comparing a campaign that is written concurrently. */
const LOOKS = 5

/**
 * Verifies the chain, and the read models against a replay, which shows a cut tail (fine print 23). Throws ReadModelsBehind when
 * the log is intact but the read models have not caught up: a difference then proves nothing.
 */
export function createVerifyCall(deps: Pick<CampaignKit, 'db' | 'guards' | 'store' | 'placeOf'>) {
  /** From the log; if the log has no answer, from the list. */
  async function placeOf(id: string): Promise<Place | null> {
    const place = await deps.placeOf(id).catch(() => null)
    if (place !== null) return place
    const row = await findCampaign(deps.db, id)
    return row && { spaceId: row.space_id, whitelabelId: row.whitelabel_id }
  }

  async function shown(id: string): Promise<Shown> {
    const row = await findCampaign(deps.db, id)
    const { entries, total } = await revisionPage(deps.db, id, 0, 1)
    return { row, newest: entries[0], total }
  }

  /** Whether the read models have reached these events. False when one of the events cannot be decoded. */
  async function isShown(events: readonly StoredEvent[]): Promise<boolean> {
    const last = events.at(-1)
    return last === undefined || (unreadable(events).length === 0 && (await deps.guards.reached(last.position, READ_MODELS)))
  }

  async function look(id: string) {
    const before = await deps.store.readStream(streamOf(id))
    const models = (await isShown(before)) ? await shown(id) : null
    // Read after the rows: everything the rows show is in the log by then.
    const events = await deps.store.readStream(streamOf(id))
    const { head, faults: broken } = verifyStream(streamOf(id), events)
    const found = unreadable(events)
    // A fault in the log may be what stopped the read models: report it without waiting for them. Success requires them.
    if (models === null && broken.length + found.length === 0) throw new ReadModelsBehind()
    const different = models === null || found.length > 0 ? [] : differences(models, before.length, events)
    const faults = [...broken, ...found, ...different]
    return {
      isMoving: events.length > before.length,
      answer: { valid: faults.length === 0, events: events.length, head_hash: head, faults },
    }
  }

  return async function verify(caller: Caller, id: string) {
    authorize(caller.actor, 'log.verify', await placeOf(id))
    let looked = await look(id)
    // The read models may show part of a commit while it is being applied.
    for (let looks = 1; looks < LOOKS && !looked.answer.valid && looked.isMoving; looks++) looked = await look(id)
    return looked.answer
  }
}

const READ_MODELS = ['campaign-list', 'campaign-revisions']

/** Events that this build cannot decode. */
function unreadable(events: readonly StoredEvent[]): readonly string[] {
  if (succeeds(() => fold(events))) return []
  const found = events.filter((stored) => !succeeds(() => fold([stored])))
  return found.length === 0
    ? ['the events cannot be read one after the other']
    : found.map(({ version }) => `version ${version} cannot be read`)
}

function succeeds(run: () => unknown): boolean {
  try {
    run()
    return true
  } catch {
    return false
  }
}

/**
 * Differences between the read models and the log, each compared at the position of the read model: a concurrent save is no
 * difference. The `known` events were stored before the read models were queried, and should be visible.
 */
function differences({ row, newest, total }: Shown, known: number, events: readonly StoredEvent[]): readonly string[] {
  const faults: string[] = []
  const log = fold(events)
  if (row === null) faults.push('campaign-list has no row for this campaign')
  else {
    const then = fold(events.slice(0, row.version))
    if (row.version < known || row.version > events.length)
      faults.push(`campaign-list stands at revision ${row.revision}, the log at ${log.revision}`)
    else if (row.revision !== then.revision || row.status_key !== statusOf(then))
      faults.push(
        `campaign-list says status ${row.status_key} at revision ${row.revision}, the log ${statusOf(then)} at ${then.revision}`,
      )
  }
  const shouldShow = fold(events.slice(0, known)).revision
  if (total < shouldShow || total > log.revision)
    faults.push(`campaign-revisions has ${total} entries, the log ${log.revision} revisions`)
  else if (newest !== undefined && !isStateOf(newest, stateAfter(events, newest.revision)))
    faults.push('campaign-revisions shows another state than the log')
  return faults
}

const stateAfter = (events: readonly StoredEvent[], revision: number): CampaignState =>
  fold(events.filter(({ metadata }) => readMetadata(metadata).revision <= revision))

const isStateOf = ({ current }: RevisionEntry, state: CampaignState): boolean => sameJson(current, logState(state))

/** The same JSON, ignoring key order. */
function sameJson(a: unknown, b: unknown): boolean {
  const ordered = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(ordered)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([x], [y]) => (x < y ? -1 : 1))
              .map(([key, inner]) => [key, ordered(inner)]),
          )
        : value
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b))
}
