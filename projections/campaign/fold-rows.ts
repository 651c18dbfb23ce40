import { decodeCampaignEvent, type CampaignEvent, type Meta } from '../../domain/campaign/events.ts'
import {
  advance,
  CAMPAIGN_STREAMS,
  draftOf,
  idOfStream,
  initialState,
  type CampaignState,
  type Draft,
} from '../../domain/campaign/state.ts'
import { stampOf } from '../../domain/kit/stamp.ts'
import type { StoredEvent } from '../../eventstore/event-store.ts'
import type { Memory, Run } from '../projector/read-model.ts'

/** One stored campaign event, decoded once for every read model that folds it. */
export type CampaignFact = {
  readonly campaignId: string
  readonly event: CampaignEvent
  readonly meta: Meta
  readonly stored: StoredEvent
}

/** Followers of one process share what they read: each event is decoded once for all its read models, for as long as its page lives. */
const decoded = new WeakMap<StoredEvent, CampaignFact>()
/** A batch of more events is somebody's own, who catches up: nobody else asks for what would be remembered. */
const SHARED = 500

const decode = (stored: StoredEvent): CampaignFact => ({
  campaignId: idOfStream(stored.stream),
  event: decodeCampaignEvent(stored),
  meta: stampOf(stored.metadata),
  stored,
})

function decodedOnce(stored: StoredEvent): CampaignFact {
  const known = decoded.get(stored)
  if (known !== undefined) return known
  const fact = decode(stored)
  decoded.set(stored, fact)
  return fact
}

export const isOfCampaign = ({ stream }: StoredEvent): boolean => stream.startsWith(CAMPAIGN_STREAMS)

/** How the events of a batch are to be decoded. */
const decoderFor = (events: readonly StoredEvent[]) => (events.length > SHARED ? decode : decodedOnce)

/**
 * Campaign events of a batch, decoded; those of other streams are left out. No event of a campaign is: one that this build cannot
 * read stops the read model, for rows folded past it would be wrong for good. What is folded must not change the facts.
 */
export const campaignFacts = (events: readonly StoredEvent[]): readonly CampaignFact[] =>
  events.filter(isOfCampaign).map(decoderFor(events))

/** A campaign as a run leaves it. */
export type Folded = {
  readonly id: string
  readonly state: CampaignState
  readonly version: number
  readonly position: bigint
  /** What brought it there. */
  readonly last: StoredEvent
}

type Known = { readonly state: CampaignState; readonly version: number }
type Remembered = { readonly id: string; readonly state: Draft; version: number; position: bigint; last: StoredEvent | null }

/** Campaigns a worker remembers at most: some tens of megabytes. */
const REMEMBERED = 4000

/**
 * Folds the campaign events of a run over the states that the rows hold: `read` fetches those that the worker does not remember, `write`
 * brings rows up to date. Rows that already contain an event skip it. A long run writes a campaign when it has been quiet for longer
 * than others, which for most is once; `most` are kept in memory. Fails for an event that this build cannot read, as `campaignFacts` does.
 */
export async function foldRun(
  run: Run,
  memory: Memory,
  { read, write, most = REMEMBERED }: { readonly read: ReadStates; readonly write: WriteStates; readonly most?: number },
): Promise<void> {
  const here = new Map<string, Remembered>()
  for await (const events of run) {
    await meet(here, events, memory, read)
    fold(here, events)
    if (here.size <= most) continue
    const quietFirst = [...here].sort(([, a], [, b]) => (a.position < b.position ? -1 : 1))
    const quiet = quietFirst.slice(0, here.size - most / 2)
    await write(changedOf(quiet.map(([, campaign]) => campaign)))
    for (const [stream, { id }] of quiet) {
      here.delete(stream)
      memory.delete(id)
    }
  }
  await write(changedOf(here.values()))
  if (memory.size + here.size > most) memory.clear()
  for (const campaign of here.values()) memory.set(campaign.id, campaign)
}

type ReadStates = (ids: readonly string[]) => Promise<ReadonlyMap<string, Known>>
/** The states are folded on after that: what is wanted of them is to be taken before it resolves. */
type WriteStates = (changed: readonly Folded[]) => Promise<void>

function changedOf(campaigns: Iterable<Remembered>): readonly Folded[] {
  const changed: Folded[] = []
  for (const campaign of campaigns) {
    const { last } = campaign
    if (last !== null) changed.push({ ...campaign, last })
    campaign.last = null
  }
  return changed
}

/** Adds, by stream, the campaigns that these events are of, as they are before them. */
async function meet(
  here: Map<string, Remembered>,
  events: readonly StoredEvent[],
  memory: Memory,
  read: ReadStates,
): Promise<void> {
  const asked = new Map<string, string>()
  const begin = (stream: string, id: string, { state, version }: Known): void => {
    here.set(stream, { id, state: draftOf(state), version, position: 0n, last: null })
  }
  for (const stored of events) {
    const { stream, version } = stored
    if (here.has(stream) || asked.has(stream) || !isOfCampaign(stored)) continue
    const id = idOfStream(stream)
    const remembered = memory.get(id) as Remembered | undefined
    if (remembered !== undefined) here.set(stream, remembered)
    // A campaign that begins here has no row yet: a rebuild would ask for every one of them in vain.
    else if (version === 1) begin(stream, id, UNBORN)
    else asked.set(stream, id)
  }
  if (asked.size === 0) return
  const rows = await read([...asked.values()])
  for (const [stream, id] of asked) begin(stream, id, rows.get(id) ?? UNBORN)
}

function fold(here: ReadonlyMap<string, Remembered>, events: readonly StoredEvent[]): void {
  // One by one: decoded all at once they would outlive the collector's first look.
  const decodeOne = decoderFor(events)
  for (const stored of events) {
    const campaign = here.get(stored.stream)
    if (campaign === undefined || stored.version <= campaign.version) continue
    // What is remembered may be older than the row, where somebody else brought it up: begin again from the row then.
    if (stored.version !== campaign.version + 1)
      throw new Error(`campaign ${campaign.id}: version ${stored.version} does not follow ${campaign.version}`)
    const { event, meta } = decodeOne(stored)
    advance(campaign.state, event, meta)
    campaign.version = stored.version
    campaign.position = stored.position
    campaign.last = stored
  }
}

const UNBORN: Known = { state: initialState, version: 0 }
