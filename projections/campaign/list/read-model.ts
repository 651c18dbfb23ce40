import { withContent } from '../content-version.ts'
import { isOfCampaign } from '../fold-rows.ts'
import { applyCampaignList } from './apply.ts'
import { loadCampaignList } from './load.ts'
import { CAMPAIGN_LIST, CAMPAIGN_STATES, createCampaignListTables, indexCampaignListTables } from './tables.ts'
import { tableOf, type ReadModel, type Tables } from '#projections/projector/read-model'

const listTables = (tables: Tables) => ({ list: tableOf(tables, CAMPAIGN_LIST), states: tableOf(tables, CAMPAIGN_STATES) })

export const campaignList: ReadModel = {
  name: 'campaign-list',
  version: withContent(13),
  tables: [CAMPAIGN_LIST, CAMPAIGN_STATES],
  concerns: isOfCampaign,
  create: (db, tables) => createCampaignListTables(db, listTables(tables)),
  index: (db, tables) => indexCampaignListTables(db, listTables(tables)),
  onFailure: 'park',
  apply: (db, tables, events, memory) => applyCampaignList(db, listTables(tables), events, memory),
  load: (tables, stored) => loadCampaignList(listTables(tables), stored),
}
