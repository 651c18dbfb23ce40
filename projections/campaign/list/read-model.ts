import { readModel } from '#projections/projector/read-model'
import { withContent } from '../content-version.ts'
import { isOfCampaign } from '../fold-rows.ts'
import { applyCampaignList } from './apply.ts'
import { loadCampaignList } from './load.ts'
import { CAMPAIGN_LIST } from './tables.ts'

export const campaignList = readModel({
  name: 'campaign-list',
  version: withContent(13),
  tables: CAMPAIGN_LIST,
  concerns: isOfCampaign,
  onFailure: 'park',
  apply: applyCampaignList,
  load: loadCampaignList,
})
