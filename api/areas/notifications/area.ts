import { NOTIFICATION_ENDPOINTS } from '#contract/notifications'
import type { Area } from '../area.ts'
import { createNotifications } from '#platform/notifications/notifications'
import { registerNotificationRoutes } from './notification-routes.ts'
import { digests, overdueInvoices } from './policies.ts'

export const notifications: Area = {
  name: 'notifications',
  summary: 'What users are notified of, and how',
  endpoints: NOTIFICATION_ENDPOINTS,
  register: (app, kit) => registerNotificationRoutes(app, kit, createNotifications(kit.db)),
  policies: async (kit) => [digests(kit, createNotifications(kit.db)), overdueInvoices(kit)],
  housekeeping: ({ db, now }) => createNotifications(db).removeOld(now()),
}
