import { BIDDING_ENDPOINTS } from '../../contract/bidding.ts'
import { CHANGE_LOG_ENDPOINTS } from '../../contract/audit.ts'
import { CAMPAIGN_LIST_ENDPOINTS } from '../../contract/campaign-list.ts'
import { CAMPAIGN_ENDPOINTS } from '../../contract/campaign.ts'
import { MODERATION_ENDPOINTS } from '../../contract/moderation.ts'
import { STATUS_HISTORY_ENDPOINTS } from '../../contract/status-history.ts'
import type { Area } from '../../kit/area.ts'
import { registerCampaignRoutes } from './campaign-routes.ts'
import { campaignSweeps } from './policies.ts'

export const campaigns: Area = {
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
  register: registerCampaignRoutes,
  policies: campaignSweeps,
}
