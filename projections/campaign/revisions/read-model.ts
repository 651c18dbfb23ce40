import { withContent } from '../content-version.ts'
import { isOfCampaign } from '../fold-rows.ts'
import { applyCampaignRevisions } from './apply.ts'
import { loadCampaignRevisions } from './load.ts'
import {
  CAMPAIGN_REVISIONS,
  CAMPAIGN_REVISION_HEADS,
  createCampaignRevisionsTables,
  indexCampaignRevisionsTable,
} from './tables.ts'
import { tableOf, type ReadModel, type Tables } from '#projections/projector/read-model'

const revisionTables = (tables: Tables) => ({
  revisions: tableOf(tables, CAMPAIGN_REVISIONS),
  heads: tableOf(tables, CAMPAIGN_REVISION_HEADS),
})

export const campaignRevisions: ReadModel = {
  name: 'campaign-revisions',
  version: withContent(7),
  tables: [CAMPAIGN_REVISIONS, CAMPAIGN_REVISION_HEADS],
  concerns: isOfCampaign,
  create: (db, tables) =>
    createCampaignRevisionsTables(db, tableOf(tables, CAMPAIGN_REVISIONS), tableOf(tables, CAMPAIGN_REVISION_HEADS)),
  index: (db, tables) => indexCampaignRevisionsTable(db, tableOf(tables, CAMPAIGN_REVISIONS)),
  onFailure: 'park',
  apply: (db, tables, events, memory) => applyCampaignRevisions(db, revisionTables(tables), events, memory),
  load: (tables, stored) => loadCampaignRevisions(revisionTables(tables), stored),
}
