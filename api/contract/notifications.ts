import { MAIL_CHOICES, NOTIFICATION_KINDS } from '#domain/notifications/notification'
import { endpoint, named, page, position } from './http.ts'
import { z } from './zod.ts'

/** Notifications of the signed-in user, and how the user wants to be notified. */

const own = { access: 'profile.own', reads: [] } as const
const kind = z.enum(NOTIFICATION_KINDS)

export const notification = named(
  'Notification',
  z.object({
    id: z.string(),
    kind,
    /** ISO 8601 UTC. */
    at: z.string(),
    read: z.boolean(),
    /** Path of the page of the application that it leads to. */
    path: z.string(),
    /** Values of its text: ids, names, amounts in currency units. */
    data: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
)
export type Notification = z.infer<typeof notification>

export const listNotifications = endpoint({
  ...own,
  id: 'notifications.list',
  method: 'GET',
  path: '/v1/notifications',
  summary: 'Notifications of the signed-in user, newest first, in zero-based pages of 25, and how many are unread',
  query: z.object({
    page: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(100_000))),
    kind: z.optional(kind),
    unread: z.optional(z.enum(['true', 'false']).check(z.describe('`true`: those alone that were not read'))),
  }),
  output: z.extend(page(notification), { unread: z.number() }),
})

/** Ids of one request. */
const MOST_IDS = 100

export const readNotifications = endpoint({
  ...own,
  id: 'notifications.read',
  method: 'POST',
  path: '/v1/notifications/read',
  summary: 'Mark notifications as read, by their ids or all of them',
  body: 'json',
  input: z.union([
    z.object({ ids: z.array(z.string().check(z.regex(/^[1-9]\d{0,17}$/))).check(z.minLength(1), z.maxLength(MOST_IDS)) }),
    z.object({ all: z.literal(true) }),
  ]),
  output: z.object({ unread: z.number(), position }),
  write: true,
})

const choice = named(
  'NotificationChoice',
  z.object({
    kind,
    app: z.boolean().check(z.describe('Whether the application shows it')),
    mail: z.enum(MAIL_CHOICES).check(z.describe('At once, in a digest at 08:00 of the white-label, or never')),
  }),
)
const choices = z.object({ choices: z.array(choice).check(z.maxLength(NOTIFICATION_KINDS.length)) })

export const readNotificationChoices = endpoint({
  ...own,
  id: 'notifications.choices',
  method: 'GET',
  path: '/v1/notifications/choices',
  summary: 'How the signed-in user wants to be notified, by each kind that the user can get',
  output: choices,
})

export const saveNotificationChoices = endpoint({
  ...own,
  id: 'notifications.saveChoices',
  method: 'PUT',
  path: '/v1/notifications/choices',
  summary: 'Choose how to be notified of the kinds given; the others stay as they are',
  body: 'json',
  input: choices,
  output: z.extend(choices, { position }),
  write: true,
})

export const NOTIFICATION_ENDPOINTS = [listNotifications, readNotifications, readNotificationChoices, saveNotificationChoices]
