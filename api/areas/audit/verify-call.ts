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

/** Times that a campaign is looked at when it is written meanwhile. */
const LOOKS = 5

/**
 * The chain, and the read models against a replay: a cut tail shows here (fine print 23). Throws ReadModelsBehind when all is well with
 * the log and the read models have not come as far: what they lack accuses nobody.
 */
export function createVerifyCall(deps: Pick<CampaignKit, 'db' | 'guards' | 'store' | 'placeOf'>) {
  /** From the log; where that says nothing any more, from the list. */
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

  /** Whether the read models have come as far as these events, which they cannot where one says nothing. */
  async function isShown(events: readonly StoredEvent[]): Promise<boolean> {
    const last = events.at(-1)
    return last === undefined || (unreadable(events).length === 0 && (await deps.guards.reached(last.position, READ_MODELS)))
  }

  async function look(id: string) {
    const before = await deps.store.readStream(streamOf(id))
    const models = (await isShown(before)) ? await shown(id) : null
    // After the rows: what they show stands in the log by then.
    const events = await deps.store.readStream(streamOf(id))
    const { head, faults: broken } = verifyStream(streamOf(id), events)
    const found = unreadable(events)
    // What is wrong in the log may be what holds the read models up: it is told without them, and nothing is good without them.
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
    // A commit may be shown in part while it is on its way to the read models.
    for (let looks = 1; looks < LOOKS && !looked.answer.valid && looked.isMoving; looks++) looked = await look(id)
    return looked.answer
  }
}

const READ_MODELS = ['campaign-list', 'campaign-revisions']

/** Events of which this build can make nothing. */
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
 * What the read models show differently than the log, each compared with the log as far as it has come: a save in between is none.
 * `known` events were there before the read models were asked, and should be shown.
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

/** Key order apart, the same JSON. */
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
