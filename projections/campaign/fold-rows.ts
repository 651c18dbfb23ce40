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
import { stampOf } from '../../domain/stamp.ts'
import type { StoredEvent } from '../../eventstore/event-store.ts'
import type { Memory } from '../projector/read-model.ts'

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
const SHARED = 1000

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

/**
 * Campaign events of a batch, decoded; those of other streams are left out. No event of a campaign is: one that this build cannot
 * read stops the read model, for rows folded past it would be wrong for good. What is folded must not change the facts.
 */
export const campaignFacts = (events: readonly StoredEvent[]): readonly CampaignFact[] =>
  events.filter(isOfCampaign).map(events.length > SHARED ? decode : decodedOnce)

/** A campaign as one batch leaves it. */
export type Folded = {
  readonly id: string
  readonly state: CampaignState
  readonly version: number
  readonly position: bigint
  /** What brought it there. */
  readonly last: StoredEvent
}

type Known = { readonly state: CampaignState; readonly version: number }
type Remembered = { id: string; state: Draft; version: number; position: bigint }

/** Campaigns a worker remembers at most: some tens of megabytes. */
const REMEMBERED = 4000

/**
 * Folds a batch over the states that the rows hold; `read` fetches those that the worker does not remember. Rows that already contain
 * an event skip it. Answers the campaigns that changed.
 */
export async function foldBatch(
  facts: readonly CampaignFact[],
  memory: Memory,
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Known>>,
): Promise<readonly Folded[]> {
  const ids = [...new Set(facts.map(({ campaignId }) => campaignId))]
  const unknown = ids.filter((id) => !memory.has(id))
  // A campaign whose creation is in this batch has no row yet: a rebuild would ask for every one of them in vain.
  const born = new Set(facts.flatMap(({ campaignId, stored }) => (stored.version === 1 ? [campaignId] : [])))
  const asked = unknown.filter((id) => !born.has(id))
  const rows: ReadonlyMap<string, Known> = asked.length === 0 ? new Map() : await read(asked)
  const here = new Map<string, Remembered>()
  const changed = new Map<Remembered, StoredEvent>()
  for (const { campaignId, event, meta, stored } of facts) {
    let campaign = here.get(campaignId) ?? (memory.get(campaignId) as Remembered | undefined)
    if (campaign === undefined) {
      const { state, version } = rows.get(campaignId) ?? { state: initialState, version: 0 }
      campaign = { id: campaignId, state: draftOf(state), version, position: 0n }
    }
    here.set(campaignId, campaign)
    if (stored.version <= campaign.version) continue
    // What is remembered may be older than the row, where somebody else brought it up: begin again from the row then.
    if (stored.version !== campaign.version + 1)
      throw new Error(`campaign ${campaignId}: version ${stored.version} does not follow ${campaign.version}`)
    advance(campaign.state, event, meta)
    campaign.version = stored.version
    campaign.position = stored.position
    changed.set(campaign, stored)
  }
  if (memory.size + here.size > REMEMBERED) memory.clear()
  for (const [id, campaign] of here) memory.set(id, campaign)
  return [...changed].map(([campaign, last]) => ({ ...campaign, last }))
}
