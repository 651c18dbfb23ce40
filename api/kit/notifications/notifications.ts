import { sql, type Kysely } from 'kysely'
import {
  defaultChoice,
  kindsFor,
  type MailChoice,
  type NotificationChoice,
  type NotificationData,
  type NotificationKind,
} from '../../../domain/notification/notification.ts'
import type { Kit } from '../kit.ts'
import { MAILED_WITHIN_MS, mailIdOf } from './notify.ts'

export const NOTIFICATIONS_PAGE = 25
/** How long notifications are kept, days. */
const KEPT_DAYS = 180

export type NotificationRow = {
  readonly id: string
  readonly kind: NotificationKind
  readonly data: NotificationData
  readonly at: Date
  readonly read: boolean
}

export type NotificationFilter = {
  readonly kind: NotificationKind | null
  readonly unread: boolean
  /** Zero-based. */
  readonly page: number
}

export type PersonChoice = NotificationChoice & { readonly kind: NotificationKind }

/** What a digest contains. */
export type DigestRow = Pick<NotificationRow, 'id' | 'kind' | 'data' | 'read'> & {
  readonly whitelabel_id: string
  readonly late: boolean
}

/** Notifications of one person, newest first, and what that person chose. */
export function createNotifications(db: Kysely<never>) {
  return {
    async page(personId: string, { kind, unread, page }: NotificationFilter) {
      const matching = sql`
        person_id = ${personId} and in_app and (${kind}::text is null or kind = ${kind}) and (not ${unread} or read_at is null)`
      const { rows: counted } = await sql<{ readonly n: number }>`
        select count(*)::int as n from app.notifications where ${matching}`.execute(db)
      const { rows } = await sql<NotificationRow>`
        select id::text as id, kind, data, at, read_at is not null as read from app.notifications where ${matching}
        order by app.notifications.id desc limit ${NOTIFICATIONS_PAGE} offset ${page * NOTIFICATIONS_PAGE}`.execute(db)
      return { rows, total: counted[0]?.n ?? 0 }
    },

    async unread(personId: string): Promise<number> {
      const { rows } = await sql<{ readonly n: number }>`
        select count(*)::int as n from app.notifications where person_id = ${personId} and in_app and read_at is null`.execute(db)
      return rows[0]?.n ?? 0
    },

    /** Marks these as read, or all. Ids of other people's notifications change nothing. */
    async markRead(personId: string, ids: readonly string[] | 'all', now: string): Promise<void> {
      await sql`
        update app.notifications set read_at = ${now}, changed_at = clock_timestamp()
        where person_id = ${personId} and read_at is null
          and ${ids === 'all' ? sql`true` : sql`id = any(${[...ids]}::bigint[])`}`.execute(db)
    },

    async choices(personId: string, roles: readonly string[]): Promise<readonly PersonChoice[]> {
      const { rows } = await sql<{ readonly kind: string; readonly in_app: boolean; readonly mail: MailChoice }>`
        select kind, in_app, mail from app.notification_choices where person_id = ${personId}`.execute(db)
      return kindsFor(roles).map((kind) => {
        const chosen = rows.find((row) => row.kind === kind)
        return chosen === undefined ? { kind, ...defaultChoice(kind) } : { kind, app: chosen.in_app, mail: chosen.mail }
      })
    },

    /** Saves choices. A kind that is no longer mailed is taken out of the digest that waits. */
    saveChoices: (personId: string, choices: readonly PersonChoice[]) =>
      db.transaction().execute(async (tx) => {
        await saveChoices(tx, personId, choices)
      }),

    /** People whose digest is due. */
    async peopleWithDigest(now: string, limit: number): Promise<readonly string[]> {
      const { rows } = await sql<{ readonly person_id: string }>`
        select distinct person_id from app.notifications where digest_at <= ${now} limit ${limit}`.execute(db)
      return rows.map(({ person_id: id }) => id)
    },

    async removeOld(now: string): Promise<void> {
      await sql`
        delete from app.notifications where created_at < ${now}::timestamptz - make_interval(days => ${KEPT_DAYS})`.execute(db)
    },
  }
}

export async function saveChoices(tx: Kysely<never>, personId: string, choices: readonly PersonChoice[]): Promise<void> {
  for (const { kind, app, mail } of choices.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))) {
    await sql`
      insert into app.notification_choices (person_id, kind, in_app, mail) values (${personId}, ${kind}, ${app}, ${mail})
      on conflict (person_id, kind) do update set in_app = excluded.in_app, mail = excluded.mail`.execute(tx)
    if (mail === 'never')
      await sql`
        update app.notifications set digest_at = null
        where person_id = ${personId} and kind = ${kind} and digest_at is not null`.execute(tx)
  }
}

/** Takes what is due for the digest of a person, in the caller's transaction: of two at once, the second finds nothing. */
export async function takeDigest(tx: Kysely<never>, personId: string, now: string): Promise<readonly DigestRow[]> {
  const { rows } = await sql<DigestRow>`
    with due as (
      select id, digest_at from app.notifications where person_id = ${personId} and digest_at <= ${now} order by id for update
    )
    update app.notifications n set digest_at = null from due where n.id = due.id
    returning n.id::text as id, n.kind, n.data, n.read_at is not null as read, n.whitelabel_id,
      due.digest_at < ${now}::timestamptz - make_interval(secs => ${MAILED_WITHIN_MS / 1000}) as late`.execute(tx)
  return rows.toSorted((a, b) => Number(b.id) - Number(a.id))
}

/** Marks the notifications about messages of this user as read for a member of the staff. */
export async function markQuestionRead(on: Kysely<never>, staffId: string, personId: string, now: string): Promise<void> {
  await sql`
    update app.notifications set read_at = ${now}, digest_at = null, changed_at = clock_timestamp()
    where person_id = ${staffId} and kind = 'chat-question' and data ->> 'id' = ${personId} and read_at is null`.execute(on)
}

/** Marks the notification of an answer in the chat as read once the person has read the chat; a mail about it that waits is not sent. */
export async function markChatRead(kit: Pick<Kit, 'db' | 'derivedId' | 'now'>, personId: string): Promise<void> {
  const { rows } = await sql<{ readonly cause: string }>`
    update app.notifications set read_at = ${kit.now()}, digest_at = null, changed_at = clock_timestamp()
    where person_id = ${personId} and kind = 'chat-message' and read_at is null returning cause`.execute(kit.db)
  if (rows.length === 0) return
  const mails = rows.map(({ cause }) => mailIdOf(kit, personId, cause))
  await sql`delete from app.mails where id = any(${mails}) and attempts = 0`.execute(kit.db)
}
