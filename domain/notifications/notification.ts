import { rolesWith, type Role } from '../kit/access.ts'
import { dayIn, startOfDay, type Zone } from '../kit/time-zone.ts'

/** Notifications of users (fine print 75): in the application and by mail, as each of them chose. */

export const NOTIFICATION_KINDS = [
  'campaign-approved',
  'campaign-rejected',
  'campaign-ended',
  'campaign-stopped',
  'creative-disapproved',
  'balance-low',
  'payment-failed',
  'invoice-issued',
  'invoice-overdue',
  'audience-ready',
  'audience-failed',
  'chat-message',
  'chat-question',
  'approval-asked',
  'schedule-done',
  'schedule-refused',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** When a notification is mailed: at once, with all others of the day, or never. */
export const MAIL_CHOICES = ['now', 'daily', 'never'] as const
export type MailChoice = (typeof MAIL_CHOICES)[number]
export type NotificationChoice = { readonly app: boolean; readonly mail: MailChoice }

/** Values that the texts of a notification contain. No personal data: it is read when the text is shown. */
export type NotificationData = Readonly<Record<string, string | number>>

const ADVERTISERS: readonly Role[] = ['USER_OWNER', 'WL_OWNER', 'SYSTEM_ADMIN']
/** Accountants are notified of money alone. */
const PAYERS: readonly Role[] = [...ADVERTISERS, 'ACCOUNTANT']

/** A viewer may have the single right to write, or have had it when they scheduled a change. */
const SCHEDULERS: readonly Role[] = [...ADVERTISERS, 'USER_VIEWER']

/** Roles whose users of the account are notified. A chat has one reader, its messages reach the staff who answer, and approvals are asked of the white-label's owners. */
export const RECIPIENTS: Readonly<Record<NotificationKind, readonly Role[]>> = {
  'campaign-approved': ADVERTISERS,
  'campaign-rejected': ADVERTISERS,
  'campaign-ended': ADVERTISERS,
  'campaign-stopped': ADVERTISERS,
  'creative-disapproved': ADVERTISERS,
  'balance-low': PAYERS,
  'payment-failed': PAYERS,
  'invoice-issued': PAYERS,
  'invoice-overdue': PAYERS,
  'audience-ready': ADVERTISERS,
  'audience-failed': ADVERTISERS,
  'chat-message': rolesWith('chat.ask'),
  'chat-question': ['WL_OWNER', 'WL_MODERATOR'],
  'approval-asked': ['WL_OWNER'],
  'schedule-done': SCHEDULERS,
  'schedule-refused': SCHEDULERS,
}

/** Kinds that a user with these roles can get. */
export const kindsFor = (roles: readonly string[]): readonly NotificationKind[] =>
  NOTIFICATION_KINDS.filter((kind) => RECIPIENTS[kind].some((role) => roles.includes(role)))

const NOT_MAILED: readonly NotificationKind[] = ['invoice-issued', 'audience-ready', 'chat-question', 'schedule-done']

/** Choice until a user makes one. An issued invoice is mailed with its document anyway, and the inbox counts messages. */
export const defaultChoice = (kind: NotificationKind): NotificationChoice => ({
  app: true,
  mail: NOT_MAILED.includes(kind) ? 'never' : 'now',
})

/** Approvals that wait on the page of staff; the others, about money, on that of payments. */
const ABOUT_STAFF: readonly string[] = [
  'invitation',
  'roles',
  'reactivation',
  'hand_over',
  'right',
  'roles_alone',
  'second_factor',
  'confirming_roles',
  'sign_on_provider',
  'sign_on_domain',
  'directory_token',
  'sign_on_link',
]
export const isAboutStaff = ({ approval }: NotificationData): boolean => ABOUT_STAFF.includes(String(approval))

/** Path of the page that a notification leads to. */
export function pathOf(kind: NotificationKind, data: NotificationData): string {
  const id = encodeURIComponent(String(data['id'] ?? ''))
  switch (kind) {
    case 'campaign-approved':
    case 'campaign-rejected':
    case 'campaign-ended':
    case 'schedule-done':
    case 'schedule-refused':
      return `/campaign/edit/${id}`
    case 'creative-disapproved':
      return `/campaign/edit/${id}?tab=${encodeURIComponent(String(data['tab'] ?? 'basicInfo'))}`
    case 'campaign-stopped':
    case 'balance-low':
    case 'payment-failed':
      return '/payments/history'
    case 'invoice-issued':
    case 'invoice-overdue':
      return `/payments/invoice/${id}`
    case 'audience-ready':
    case 'audience-failed':
      return `/audience/details/${id}`
    case 'chat-message':
      return '/notifications?kind=chat-message'
    case 'chat-question':
      return `/inbox?id=${id}`
    case 'approval-asked':
      return isAboutStaff(data) ? '/team' : '/admin/payments'
  }
}

/** Local hour of the daily digest. */
const DIGEST_HOUR = 8
const HOUR_MS = 3_600_000

/** The next 08:00 of this time zone, strictly after the instant; ISO 8601 UTC. */
export function nextDigest(instant: string, zone: Zone): string {
  const time = Date.parse(instant)
  const of = (day: string) => Date.parse(startOfDay(day, zone)) + DIGEST_HOUR * HOUR_MS
  const today = of(dayIn(time, zone))
  return new Date(today > time ? today : of(dayIn(time + 24 * HOUR_MS, zone))).toISOString()
}
