import { BIDDING_ENDPOINTS } from '#contract/bidding'
import { CHANGE_LOG_ENDPOINTS } from '#contract/audit'
import { CAMPAIGN_LIST_ENDPOINTS } from '#contract/campaign-list'
import { CAMPAIGN_ENDPOINTS } from '#contract/campaign'
import { MODERATION_ENDPOINTS } from '#contract/moderation'
import { REVIEW_FINDINGS_ENDPOINTS } from '#contract/review-findings'
import { LABEL_ENDPOINTS } from '#contract/labels'
import { SECOND_LOOK_ENDPOINTS } from '#contract/second-looks'
import { STATUS_HISTORY_ENDPOINTS } from '#contract/status-history'
import { createAddressChecks } from '#platform/outgoing/address-checks'
import { createGuardedFetch } from '#platform/outgoing/guarded-fetch'
import { createLabels, forgetLabeller } from '#platform/campaign/labels'
import { createReviewHolds } from '#platform/campaign/review-holds'
import { createBidSamples } from '#platform/delivery/bid-samples'
import { createSecondLooks } from '#platform/campaign/second-looks'
import { removeRowsOf } from '#platform/identity/rows-of'
import { area } from '../area.ts'
import { registerLabelRoutes } from './label-routes.ts'
import { registerCampaignRoutes } from './campaign-routes.ts'
import { registerRuleLab } from './rule-lab.ts'
import { registerReviewStatistics } from './review-statistics.ts'
import { registerSecondLooks } from './second-look-routes.ts'
import { registerReviewRoutes } from './review-routes.ts'
import { campaignSweeps } from './policies.ts'

export const campaigns = area({
  name: 'campaigns',
  summary: 'Campaigns: saving, running, moderation, change log and lists',
  endpoints: [
    ...CAMPAIGN_ENDPOINTS,
    ...CAMPAIGN_LIST_ENDPOINTS,
    ...MODERATION_ENDPOINTS,
    ...LABEL_ENDPOINTS,
    ...SECOND_LOOK_ENDPOINTS,
    ...REVIEW_FINDINGS_ENDPOINTS,
    ...CHANGE_LOG_ENDPOINTS,
    ...BIDDING_ENDPOINTS,
    ...STATUS_HISTORY_ENDPOINTS,
  ],
  uses: [
    'accounts',
    'audiences',
    'campaigns',
    'caughtUp',
    'commands.campaigns',
    'db',
    'facts',
    'files',
    'past',
    'people',
    'personal',
    'reference',
    'store',
    'whiteLabels',
  ],
  tables: [
    'app.campaign_labels',
    'app.campaign_names',
    'app.labels',
    'app.review_assignments',
    'app.review_holds',
    'app.second_looks',
    'app.second_look_progress',
  ],
  erase: {
    within: async (tx, personId) => {
      await removeRowsOf('app.review_assignments', 'app.review_holds', 'app.second_looks')(tx, personId)
      await forgetLabeller(tx, personId)
    },
  },
  register(app, kit) {
    const holds = createReviewHolds(kit.db)
    const labels = createLabels(kit.db)
    registerCampaignRoutes(app, kit, { holds, labels })
    registerLabelRoutes(app, kit, labels)
    const allowPrivate = kit.config.addressChecks === 'any'
    const fetch = createGuardedFetch({ allowPrivate, plainHttp: true, headersOnly: true })
    const addresses = kit.config.addressChecks === 'off' ? null : createAddressChecks({ fetch })
    registerReviewRoutes(app, kit, { holds, addresses })
    registerReviewStatistics(app, kit)
    registerRuleLab(app, kit, createBidSamples(kit.db))
    registerSecondLooks(app, kit, createSecondLooks(kit.db))
  },
  housekeeping: async ({ db }) => {
    await createReviewHolds(db).purge()
    await createSecondLooks(db).expire()
  },
  policies: (kit) => campaignSweeps(kit, createSecondLooks(kit.db)),
})
