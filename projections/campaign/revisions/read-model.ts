import { readModel } from '#projections/projector/read-model'
import { withContent } from '../content-version.ts'
import { isOfCampaign } from '../fold-rows.ts'
import { applyCampaignRevisions } from './apply.ts'
import { loadCampaignRevisions } from './load.ts'
import { CAMPAIGN_REVISIONS } from './tables.ts'

export const campaignRevisions = readModel({
  name: 'campaign-revisions',
  version: withContent(7),
  tables: CAMPAIGN_REVISIONS,
  concerns: isOfCampaign,
  onFailure: 'park',
  apply: applyCampaignRevisions,
  load: loadCampaignRevisions,
})
