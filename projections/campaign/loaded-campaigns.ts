import { CAMPAIGN_STREAMS, idOfStream } from '#domain/campaign/state'
import type { StoredEvent } from '#eventstore/event-store'
import { isOfCampaign } from './fold-rows.ts'

/** A campaign while its rows are loaded. */
export type Loaded = {
  readonly id: string
  /** Version of the newest event in it. */
  version: number
  /** It was written before, and read back. */
  readonly isStored: boolean
}

export type LoadedCampaigns<C extends Loaded> = {
  /** Reads back the campaigns of these events that are no longer in memory. Call before `of`. */
  readonly fetch: (events: readonly StoredEvent[]) => Promise<void>
  /** The campaign of the next event; null for other streams, and for an event that it contains. */
  readonly of: (event: StoredEvent) => C | null
  /** Takes campaigns out, to be written: those that waited longest for an event, or all. */
  readonly take: (all: boolean) => { readonly added: readonly C[]; readonly changed: readonly C[] }
}

/** Campaigns that stay in memory: some tens of megabytes. One is written again when it has an event after it was taken out. */
const KEPT = 4000

/** The campaigns that a load has not written yet. */
export function createLoadedCampaigns<C extends Loaded>({
  begin,
  read,
  kept = KEPT,
}: {
  /** Before its first event. */
  readonly begin: (id: string) => C
  readonly read: (ids: readonly string[]) => Promise<readonly C[]>
  /** Campaigns that stay in memory. */
  readonly kept?: number | undefined
}): LoadedCampaigns<C> {
  /** By stream; the one with the newest event is the last. */
  const campaigns = new Map<string, C>()
  return {
    async fetch(events) {
      const missing = new Set<string>()
      for (const event of events)
        // A new campaign has no row: a rebuild would query every one of them for nothing.
        if (event.version > 1 && isOfCampaign(event) && !campaigns.has(event.stream)) missing.add(event.stream)
      for (const event of events) if (event.version === 1) missing.delete(event.stream)
      if (missing.size === 0) return
      for (const campaign of await read([...missing].map(idOfStream)))
        campaigns.set(`${CAMPAIGN_STREAMS}${campaign.id}`, campaign)
    },
    of(event) {
      if (!isOfCampaign(event)) return null
      const { stream, version } = event
      const campaign = campaigns.get(stream) ?? begin(idOfStream(stream))
      if (version <= campaign.version) return null
      if (version !== campaign.version + 1)
        throw new Error(`campaign ${campaign.id}: version ${version} does not follow ${campaign.version}`)
      campaign.version = version
      campaigns.delete(stream)
      campaigns.set(stream, campaign)
      return campaign
    },
    take(all) {
      const [added, changed]: [C[], C[]] = [[], []]
      for (const [stream, campaign] of campaigns) {
        if (!all && campaigns.size <= kept) break
        campaigns.delete(stream)
        ;(campaign.isStored ? changed : added).push(campaign)
      }
      return { added, changed }
    },
  }
}
