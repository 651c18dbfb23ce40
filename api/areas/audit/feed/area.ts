import { AUDIT_FEED_ENDPOINTS } from '#contract/audit-feed'
import { area } from '../../area.ts'
import { createFeed } from './feed.ts'
import { registerFeedRoutes } from './feed-routes.ts'
import { USES } from './uses.ts'

export const auditFeed = area({
  name: 'audit feed',
  summary: 'Every event of every subject in the order of the log',
  endpoints: AUDIT_FEED_ENDPOINTS,
  uses: USES,
  register: (app, kit) => registerFeedRoutes(app, kit, createFeed(kit)),
})
