import { USES } from './uses.ts'
import { BIDDING_ENDPOINTS } from '#contract/bidding'
import { CHANGE_LOG_ENDPOINTS } from '#contract/audit'
import { CAMPAIGN_LIST_ENDPOINTS } from '#contract/campaign-list'
import { CAMPAIGN_ENDPOINTS } from '#contract/campaign'
import { MODERATION_ENDPOINTS } from '#contract/moderation'
import { STATUS_HISTORY_ENDPOINTS } from '#contract/status-history'
import { area } from '../area.ts'
import { registerCampaignRoutes } from './campaign-routes.ts'
import { campaignSweeps } from './policies.ts'

export const campaigns = area({
  name: 'campaigns',
  summary: 'Campaigns: saving, running, moderation, change log and lists',
  endpoints: [
    ...CAMPAIGN_ENDPOINTS,
    ...CAMPAIGN_LIST_ENDPOINTS,
    ...MODERATION_ENDPOINTS,
    ...CHANGE_LOG_ENDPOINTS,
    ...BIDDING_ENDPOINTS,
    ...STATUS_HISTORY_ENDPOINTS,
  ],
  uses: USES,
  tables: ['app.campaign_names'],
  register: registerCampaignRoutes,
  policies: campaignSweeps,
})
