import { sql, type Kysely } from 'kysely'
import {
  defaultChoice,
  kindsFor,
  type NotificationChoice,
  type NotificationData,
  type NotificationKind,
} from '#domain/notifications/notification'
import { allOf, timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { withdrawMails } from '../mail/mail-queue.ts'
import { MAILED_WITHIN_MS, mailIdOf, type NotifyKit } from './notify.ts'

export const NOTIFICATIONS_PAGE = 25
const COUNT = sql<number>`count(*)::int`.as('count')
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

/** Reader of notifications; a user with several accounts reads those of the one that the session acts in. Null: of all. */
export type Reader = { readonly personId: string; readonly spaceId: string | null }

export type PersonChoice = NotificationChoice & { readonly kind: NotificationKind }

/** Content of a digest. */
export type DigestRow = Pick<NotificationRow, 'id' | 'kind' | 'data' | 'read'> & {
  readonly whitelabel_id: string
  readonly late: boolean
}

/** Notifications of one person, newest first, and what that person chose. */
export function createNotifications(db: Kysely<Db>) {
  const shownTo = ({ personId, spaceId }: Reader) =>
    db
      .selectFrom('app.notifications as n')
      .where('n.person_id', '=', personId)
      .where('n.in_app', '=', true)
      .$if(spaceId !== null, (own) => own.where('n.space_id', '=', spaceId))
  return {
    pageSize: NOTIFICATIONS_PAGE,
    takeDigest,

    async page(reader: Reader, { kind, unread, page }: NotificationFilter) {
      const matching = shownTo(reader)
        .$if(kind !== null, (found) => found.where('n.kind', '=', kind))
        .$if(unread, (found) => found.where('n.read_at', 'is', null))
      const counted = await matching.select(COUNT).executeTakeFirst()
      const rows = await matching
        .select((eb) => [
          sql<string>`n.id::text`.as('id'),
          'n.kind',
          'n.data',
          'n.at',
          eb('n.read_at', 'is not', null).as('read'),
        ])
        .$castTo<NotificationRow>()
        .orderBy('n.id', 'desc')
        .limit(NOTIFICATIONS_PAGE)
        .offset(page * NOTIFICATIONS_PAGE)
        .execute()
      return { rows, total: counted?.count ?? 0 }
    },

    async unread(reader: Reader): Promise<number> {
      const counted = await shownTo(reader).select(COUNT).where('n.read_at', 'is', null).executeTakeFirst()
      return counted?.count ?? 0
    },

    /** Marks these as read, or all. Ids of other people's notifications change nothing. */
    async markRead({ personId, spaceId }: Reader, ids: readonly string[] | 'all', now: string): Promise<void> {
      await db
        .updateTable('app.notifications')
        .set({ read_at: now, changed_at: sql`clock_timestamp()` })
        .where('person_id', '=', personId)
        .where('read_at', 'is', null)
        .$if(spaceId !== null, (own) => own.where('space_id', '=', spaceId))
        .$if(ids !== 'all', (found) => found.where('id', '=', sql<bigint>`any(${[...ids]}::bigint[])`))
        .execute()
    },

    async choices(personId: string, roles: readonly string[]): Promise<readonly PersonChoice[]> {
      const choices = db.selectFrom('app.notification_choices').select(['kind', 'in_app', 'mail'])
      const rows = await choices.where('person_id', '=', personId).execute()
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
    async peopleWithDigest(now: string, limit: number, except: readonly string[]): Promise<readonly string[]> {
      const due = db.selectFrom('app.notifications').select('person_id').distinct().where('digest_at', '<=', timestamptz(now))
      const rows = await due.where('person_id', '<>', allOf(except)).limit(limit).execute()
      return rows.map(({ person_id: id }) => id)
    },

    async removeOld(now: string): Promise<void> {
      await db
        .deleteFrom('app.notifications')
        .where('created_at', '<', sql<Date>`${timestamptz(now)} - make_interval(days => ${KEPT_DAYS})`)
        .execute()
    },
  }
}

/** Saves how a kind is mailed; whether the application shows it stays. */
export async function saveMailChoice(
  db: Kysely<Db>,
  personId: string,
  { kind, mail }: Pick<PersonChoice, 'kind' | 'mail'>,
): Promise<void> {
  await db
    .insertInto('app.notification_choices')
    .values({ person_id: personId, kind, in_app: true, mail })
    .onConflict((conflict) => conflict.columns(['person_id', 'kind']).doUpdateSet({ mail }))
    .execute()
}

export async function saveChoices(tx: Kysely<Db>, personId: string, choices: readonly PersonChoice[]): Promise<void> {
  for (const { kind, app, mail } of choices.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))) {
    await tx
      .insertInto('app.notification_choices')
      .values({ person_id: personId, kind, in_app: app, mail })
      .onConflict((conflict) => conflict.columns(['person_id', 'kind']).doUpdateSet({ in_app: app, mail }))
      .execute()
    if (mail === 'never')
      await tx
        .updateTable('app.notifications')
        .set({ digest_at: null })
        .where('person_id', '=', personId)
        .where('kind', '=', kind)
        .where('digest_at', 'is not', null)
        .execute()
  }
}

/** Takes what is due for the digest of a person, in the caller's transaction: of two at once, the second finds nothing. */
async function takeDigest(tx: Kysely<Db>, personId: string, now: string): Promise<readonly DigestRow[]> {
  const { rows } = await sql<DigestRow>`
    with due as (
      select id, digest_at from app.notifications where person_id = ${personId} and digest_at <= ${now} order by id for update
    )
    update app.notifications n set digest_at = null from due where n.id = due.id
    returning n.id::text as id, n.kind, n.data, n.whitelabel_id,
      -- Nothing of an account that the person left goes out.
      n.read_at is not null or exists (
        select from identity.memberships m where m.person_id = n.person_id and m.space_id = n.space_id and m.state <> 'active'
      ) or exists (
        select from identity.people p
        where p.id = n.person_id and p.home_space_id = n.space_id and (p.deactivated or p.suspended)
      ) as read,
      due.digest_at < ${now}::timestamptz - make_interval(secs => ${MAILED_WITHIN_MS / 1000}) as late`.execute(tx)
  return rows.toSorted((a, b) => Number(b.id) - Number(a.id))
}

/** Marks the notifications about messages of this user as read for a member of the staff. */
export async function markQuestionRead(on: Kysely<Db>, staffId: string, personId: string, now: string): Promise<void> {
  await on
    .updateTable('app.notifications')
    .set({ read_at: now, digest_at: null, changed_at: sql`clock_timestamp()` })
    .where('person_id', '=', staffId)
    .where('kind', '=', 'chat-question')
    .where(sql`data ->> 'id'`, '=', personId)
    .where('read_at', 'is', null)
    .execute()
}

/** Marks the notification of an answer in the chat as read once the person has read the chat; a mail about it that waits is not sent. */
export async function markChatRead(
  kit: Pick<NotifyKit, 'derivedId' | 'now'> & { readonly db: Kysely<Db> },
  personId: string,
): Promise<void> {
  const rows = await kit.db
    .updateTable('app.notifications')
    .set({ read_at: kit.now(), digest_at: null, changed_at: sql`clock_timestamp()` })
    .where('person_id', '=', personId)
    .where('kind', '=', 'chat-message')
    .where('read_at', 'is', null)
    .returning('cause')
    .execute()
  if (rows.length === 0) return
  await withdrawMails(
    kit.db,
    rows.map(({ cause }) => mailIdOf(kit, personId, cause)),
  )
}
export type Notifications = ReturnType<typeof createNotifications>
