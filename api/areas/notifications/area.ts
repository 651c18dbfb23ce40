import { createFollowed } from '#platform/notifications/followed'
import { removeRowsOf } from '#platform/identity/rows-of'
import { startNotifications, unreported } from './follow-events.ts'
import { createFailing } from '#platform/jobs/failing'
import { notification, notificationDigest } from '#commands/notifications/mails/notification'
import { NOTIFICATION_ENDPOINTS } from '#contract/notifications'
import { area } from '../area.ts'
import { createNotifications } from '#platform/notifications/notifications'
import { registerNotificationRoutes } from './notification-routes.ts'
import { digests, overdueInvoices } from './policies.ts'

export const notifications = area({
  name: 'notifications',
  summary: 'What users are notified of, and how',
  endpoints: NOTIFICATION_ENDPOINTS,
  uses: ['accounts', 'caughtUp', 'db', 'notify', 'queueMail', 'store', 'tracer'],
  tables: ['app.mail_cursor', 'app.mailed_notices', 'app.notification_choices', 'app.notifications'],
  erase: { within: removeRowsOf('app.notifications', 'app.notification_choices') },
  mails: {
    notification,
    'notification-digest': notificationDigest,
  },
  register: (app, kit) => registerNotificationRoutes(app, kit, createNotifications(kit.db)),
  async policies(kit) {
    const following = { ...kit, followed: createFollowed(kit.db), failing: createFailing(kit.db) }
    await startNotifications(following)
    return [digests(kit, createNotifications(kit.db)), overdueInvoices(kit), unreported(following)]
  },
  housekeeping: ({ db, now }) => createNotifications(db).removeOld(now()),
})
