import { decodeCampaignEvent, type CampaignEvent } from '#domain/campaign/events'
import {
  advance,
  CAMPAIGN_STREAMS,
  draftOf,
  idOfStream,
  initial as initialState,
  type CampaignState,
  type Draft,
} from '#domain/campaign/state'
import { readMetadata, type Metadata } from '#domain/kit/event-metadata'
import type { StoredEvent } from '#eventstore/event-store'
import type { Memory } from '../projector/read-model.ts'

/** A decoded campaign event. */
export type CampaignFact = {
  readonly campaignId: string
  readonly event: CampaignEvent
  readonly meta: Metadata
  readonly stored: StoredEvent
}

export const isOfCampaign = ({ stream }: StoredEvent): boolean => stream.startsWith(CAMPAIGN_STREAMS)

/**
 * The campaign events of a batch, decoded. Throws for an event that this build cannot read: rows folded past it would stay wrong.
 * Folding must not change the facts.
 */
export const campaignFacts = (events: readonly StoredEvent[]): readonly CampaignFact[] =>
  events.filter(isOfCampaign).map((stored) => ({
    campaignId: idOfStream(stored.stream),
    event: decodeCampaignEvent(stored),
    meta: readMetadata(stored.metadata),
    stored,
  }))

/** A campaign after a batch. */
export type Folded = {
  readonly id: string
  readonly state: CampaignState
  readonly version: number
  /** Position of its newest event. */
  readonly position: bigint
}

type Known = { readonly state: CampaignState; readonly version: number }
type Remembered = { readonly id: string; readonly state: Draft; version: number; position: bigint }

/** Campaigns in the cache of a worker: some tens of megabytes. */
const REMEMBERED = 4000

/**
 * Folds the campaign events of a batch over the states in the rows and returns the campaigns that changed. `read` fetches states
 * that are not in `memory`. Events that the rows already contain are skipped. The states are folded on by the next batch: use
 * them before. Throws for an event that this build cannot read.
 */
export async function foldCampaigns(
  events: readonly StoredEvent[],
  memory: Memory,
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Known>>,
  most = REMEMBERED,
): Promise<readonly Folded[]> {
  const campaigns = await statesBefore(events, memory, read)
  const changed = new Set<Remembered>()
  for (const stored of events) {
    const campaign = campaigns.get(stored.stream)
    if (campaign === undefined || stored.version <= campaign.version) continue
    // The cache may be older than the row when another worker wrote it: fail, and start with an empty one.
    if (stored.version !== campaign.version + 1)
      throw new Error(`campaign ${campaign.id}: version ${stored.version} does not follow ${campaign.version}`)
    advance(campaign.state, decodeCampaignEvent(stored), readMetadata(stored.metadata))
    campaign.version = stored.version
    campaign.position = stored.position
    changed.add(campaign)
  }
  if (memory.size + campaigns.size > most) memory.clear()
  if (campaigns.size <= most) for (const campaign of campaigns.values()) memory.set(campaign.id, campaign)
  return [...changed]
}

/** The campaigns of these events, by stream, as they are before them. */
async function statesBefore(
  events: readonly StoredEvent[],
  memory: Memory,
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Known>>,
): Promise<ReadonlyMap<string, Remembered>> {
  const campaigns = new Map<string, Remembered>()
  const missing = new Map<string, string>()
  const add = (stream: string, id: string, { state, version }: Known): void => {
    campaigns.set(stream, { id, state: draftOf(state), version, position: 0n })
  }
  for (const stored of events) {
    const { stream, version } = stored
    if (campaigns.has(stream) || missing.has(stream) || !isOfCampaign(stored)) continue
    const id = idOfStream(stream)
    const remembered = memory.get(id) as Remembered | undefined
    if (remembered !== undefined) campaigns.set(stream, remembered)
    // A new campaign has no row: a rebuild would query every one of them for nothing.
    else if (version === 1) add(stream, id, NEW)
    else missing.set(stream, id)
  }
  if (missing.size === 0) return campaigns
  const rows = await read([...missing.values()])
  for (const [stream, id] of missing) add(stream, id, rows.get(id) ?? NEW)
  return campaigns
}

const NEW: Known = { state: initialState, version: 0 }
