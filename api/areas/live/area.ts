import { LIVE_ENDPOINTS } from '#contract/live'
import { createNotificationChanges } from '#platform/notifications/notification-changes'
import { createReviewChanges, EVERY_WHITE_LABEL } from '#platform/campaign/review-changes'
import { area } from '../area.ts'
import { registerLiveRoutes } from './live-routes.ts'

export const live = area({
  name: 'live',
  summary: 'Change notifications to open pages',
  endpoints: LIVE_ENDPOINTS,
  uses: ['campaigns', 'db', 'deliveries', 'limits', 'projector', 'sessions', 'store', 'whiteLabels'],
  register(app, kit) {
    const notifications = createNotificationChanges(kit.db, (error) =>
      kit.logger.error({ err: error }, 'changes of notifications were not reported and are read again'),
    )
    const reviews = createReviewChanges(kit.db, (error) =>
      kit.logger.error({ err: error }, 'changes of reviews were not reported and are read again'),
    )
    kit.stops.add(() => notifications.stop())
    kit.stops.add(() => reviews.stop())
    registerLiveRoutes(app, kit, {
      notifications,
      reviews: { listen: (whitelabelId, notify) => reviews.listen(whitelabelId ?? EVERY_WHITE_LABEL, notify) },
    })
  },
})
