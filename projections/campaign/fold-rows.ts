import { decodeCampaignEvent, type CampaignEvent, type Meta } from '../../domain/campaign/events.ts'
import { advance, draftOf, initialState, type CampaignState, type Draft } from '../../domain/campaign/state.ts'
import type { StoredEvent } from '../../eventstore/event-store.ts'

/** One stored campaign event, decoded once for every read model that folds it. */
export type CampaignFact = {
  readonly campaignId: string
  readonly event: CampaignEvent
  readonly meta: Meta & {
    readonly role: string
    readonly source: string
    readonly on_behalf_of: string | null
    readonly command_id: string
  }
  readonly stored: StoredEvent
}

/**
 * Campaign events of a batch, decoded; those of other streams are left out. No event of a campaign is: one that this build cannot
 * read stops the read model, for rows folded past it would be wrong for good.
 */
export const campaignFacts = (events: readonly StoredEvent[]): readonly CampaignFact[] =>
  events.flatMap((stored) =>
    stored.stream.startsWith('campaign-')
      ? [
          {
            campaignId: stored.stream.slice('campaign-'.length),
            event: decodeCampaignEvent(stored),
            meta: JSON.parse(stored.metadata) as CampaignFact['meta'],
            stored,
          },
        ]
      : [],
  )

/** A campaign as one batch leaves it. */
export type Folded = { readonly id: string; readonly state: CampaignState; readonly version: number; readonly position: bigint }

/** Folds a batch over the states that the rows hold. Rows that already contain an event skip it. */
export function foldBatch(
  facts: readonly CampaignFact[],
  known: ReadonlyMap<string, { readonly state: CampaignState; readonly version: number }>,
): readonly Folded[] {
  const folded = new Map<string, { id: string; state: Draft; version: number; position: bigint }>()
  for (const { campaignId, event, meta, stored } of facts) {
    const row = folded.get(campaignId)
    const before = row ?? known.get(campaignId) ?? { state: initialState, version: 0 }
    if (stored.version <= before.version) continue
    const next = row ?? { id: campaignId, state: draftOf(before.state), version: 0, position: 0n }
    advance(next.state, event, meta)
    next.version = stored.version
    next.position = stored.position
    if (row === undefined) folded.set(campaignId, next)
  }
  return [...folded.values()]
}
