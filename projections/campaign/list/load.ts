import { decodeCampaignEvent } from '#domain/campaign/events'
import { advance, draftOf, initial as initialState, type Draft } from '#domain/campaign/state'
import { readMetadata } from '#domain/kit/event-metadata'
import { copyRows } from '#eventstore/postgres/copy-rows'
import type { Loader, ReadStored } from '#projections/projector/read-model'
import { copyOf } from '#projections/projector/table'
import { createLoadedCampaigns, type Loaded } from '../loaded-campaigns.ts'
import { readStates, rowOf, stateRowOf, upsertCampaigns } from './apply.ts'
import type { CampaignListTables } from './tables.ts'

type Campaign = Loaded & { readonly state: Draft; position: bigint }

/** Loads the rows of `applyCampaignList`: a campaign is written when it leaves the memory, mostly once. */
export function loadCampaignList(tables: CampaignListTables, stored: ReadStored, kept?: number): Loader {
  const campaigns = createLoadedCampaigns<Campaign>({
    kept,
    begin: (id) => ({ id, version: 0, state: draftOf(initialState), position: 0n, isStored: false }),
    read: async (ids) => {
      const rows = await stored((db) => readStates(db, tables.campaign_states, ids))
      return [...rows.values()].map(({ id, version, state }) => ({
        id,
        version,
        state: draftOf(state),
        position: 0n,
        isStored: true,
      }))
    },
  })
  return {
    async add(events) {
      await campaigns.fetch(events)
      for (const event of events) {
        const campaign = campaigns.of(event)
        if (campaign === null) continue
        advance(campaign.state, decodeCampaignEvent(event), readMetadata(event.metadata))
        campaign.position = event.position
      }
    },
    take(all) {
      const { added, changed } = campaigns.take(all)
      return async (db) => {
        const [rows, stateRows] = [copyOf(tables.campaign_list), copyOf(tables.campaign_states)]
        for (const campaign of added) {
          rows.add(rowOf(campaign))
          stateRows.add(stateRowOf(campaign))
        }
        await copyRows(db, tables.campaign_list.name, rows.end())
        await copyRows(db, tables.campaign_states.name, stateRows.end())
        if (changed.length > 0) await upsertCampaigns(db, tables, changed)
      }
    },
  }
}
