import type { Db } from '#migrations/db'
import type { Kysely } from 'kysely'
import type { Role } from '#domain/kit/access'
import type { NotificationData, NotificationKind } from '#domain/notifications/notification'

export type Notice = {
  readonly kind: NotificationKind
  /** Identifies what is reported: a person is notified of it once. */
  readonly cause: string
  readonly whitelabelId: string
  readonly spaceId: string
  /** When it happened, ISO 8601 UTC. */
  readonly at: string
  readonly data: NotificationData
  /** One person; else the users of the account with a role of the kind. */
  readonly personId?: string
  /** The users of the whole white-label with a role of the kind, but this one. */
  readonly colleaguesOf?: string
  /** Users with this role have a mail about it already. */
  readonly mailedTo?: Role
  /** Its mail waits this long, and is not sent when the notification was read. */
  readonly mailAfterSeconds?: number
}

/** Stores a notification for its recipients, once each, with its mails, in the caller's transaction. */
export type Notify = (tx: Kysely<Db>, notice: Notice) => Promise<void>
