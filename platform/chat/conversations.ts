import { sql, type Kysely, type NotNull } from 'kysely'
import type { ChatMessage, Conversation, InboxRow } from '#contract/chat'
import { markChatRead, markQuestionRead } from '../notifications/notifications.ts'
import { notify, type NotifyKit } from '../notifications/notify.ts'
import type { Db } from '#migrations/db'

/** Messages of one answer. */
const MOST_MESSAGES = 50
const INBOX_PAGE = 25
const COUNT = sql<number>`count(*)::int`.as('count')
/** A user who reads the answer meanwhile gets no mail about it, seconds. */
const ANSWER_MAILED_AFTER = 60

/** Conversations that a caller may read; null for every white-label. */
export type Reach = { readonly whitelabelId: string | null }

/** System administrators stand above the white-label that they belong to. */
const inReach = ({
  whitelabelId,
}: Reach) => sql<boolean>`(${whitelabelId}::text is null or c.whitelabel_id = ${whitelabelId} and not exists (
  select from identity.people a where a.id = c.person_id and 'SYSTEM_ADMIN' = any(a.roles)))`

/** Conversations of users with staff. They are personal data in PostgreSQL, and are removed with their person. */
export function createConversations(kit: NotifyKit & { readonly db: Kysely<Db> }) {
  const { db } = kit
  const chatsIn = (reach: Reach) => db.selectFrom('app.chats as c').where(inReach(reach))

  /** Adds a message under the next number. The row of the conversation is locked, so that no two messages get one number. */
  const add = (
    on: Kysely<Db>,
    numbered: ReturnType<typeof sql<{ person_id: string; number: number }>>,
    { author, fromStaff, text }: { readonly author: string; readonly fromStaff: boolean; readonly text: string },
  ) =>
    sql<{ number: number; at: Date }>`
      with numbered as (${numbered})
      insert into app.chat_messages (person_id, number, author_id, from_staff, text)
      select person_id, number, ${author}, ${fromStaff}, ${text} from numbered
      returning number, at`.execute(on)

  async function messagesOf(personId: string, before: number | undefined, names: boolean): Promise<readonly ChatMessage[]> {
    const { rows } = await sql<Omit<ChatMessage, 'at'> & { at: Date }>`
      select m.number, m.text, m.at, m.from_staff,
             case when ${names} or not m.from_staff then p.first_name || ' ' || p.last_name end as author
      from app.chat_messages m left join identity.people p on p.id = m.author_id
      where m.person_id = ${personId} and m.number < ${before ?? 2_147_483_647}
      order by m.number desc limit ${MOST_MESSAGES + 1}`.execute(db)
    return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
  }

  /** The page of messages, and how many newer than `read` the other side wrote. */
  async function conversation(
    personId: string,
    { before, read, staff }: { readonly before: number | undefined; readonly read: number; readonly staff: boolean },
  ): Promise<Conversation> {
    const found = await messagesOf(personId, before, staff)
    const newer = await db
      .selectFrom('app.chat_messages')
      .select(COUNT)
      .where('person_id', '=', personId)
      .where('number', '>', read)
      .where('from_staff', '<>', staff)
      .executeTakeFirst()
    return {
      messages: found.slice(0, MOST_MESSAGES).toReversed(),
      more: found.length > MOST_MESSAGES,
      unread: newer?.count ?? 0,
    }
  }

  return {
    pageSize: INBOX_PAGE,

    async own(personId: string, before: number | undefined): Promise<Conversation> {
      const chats = db.selectFrom('app.chats').select('read_by_person')
      const chat = await chats.where('person_id', '=', personId).executeTakeFirst()
      return conversation(personId, { before, read: chat?.read_by_person ?? 0, staff: false })
    },

    /**
     * Null for an erased person: an erasure that is running is waited for, and leaves nothing behind. The staff are notified of the
     * first message since they read the conversation.
     */
    send: (personId: string, text: string) =>
      db.transaction().execute(async (tx) => {
        const { rows } = await add(
          tx,
          sql`
          insert into app.chats as c (person_id, whitelabel_id, messages, last_at, last_text, waiting, read_by_person)
          select id, whitelabel_id, 1, now(), ${text}, true, 1 from identity.people
          where id = ${personId} and email <> lower(id) || '@erased.invalid' for share
          on conflict (person_id) do update
          set messages = c.messages + 1, last_at = now(), last_text = excluded.last_text, waiting = true,
              read_by_person = c.messages + 1
          returning person_id, messages as number`,
          { author: personId, fromStaff: false, text },
        )
        const [added] = rows
        if (added === undefined) return null
        const place = await tx
          .selectFrom('app.chats as c')
          .innerJoin('identity.people as p', 'p.id', 'c.person_id')
          .leftJoin('rm_accounts as a', 'a.space_id', 'p.home_space_id')
          .select(['c.read_by_staff as read', 'c.whitelabel_id', 'p.home_space_id as space_id', 'a.name as account'])
          .where('c.person_id', '=', personId)
          .executeTakeFirst()
        if (place !== undefined)
          await notify(tx, kit, {
            kind: 'chat-question',
            cause: `chat of ${personId} after ${place.read}`,
            whitelabelId: place.whitelabel_id,
            spaceId: place.space_id,
            at: kit.now(),
            data: { id: personId, account: place.account ?? '' },
            colleaguesOf: personId,
            mailAfterSeconds: ANSWER_MAILED_AFTER,
          })
        return added
      }),

    async markOwn(personId: string, number: number): Promise<void> {
      const last = sql<number>`least(${number}, messages)`
      await db
        .updateTable('app.chats')
        .set({ read_by_person: last })
        .where('person_id', '=', personId)
        .where('read_by_person', '<', last)
        .execute()
      await markChatRead(kit, personId)
    },

    async inbox(reach: Reach, page: number): Promise<{ readonly rows: readonly InboxRow[]; readonly total: number }> {
      const counted = await chatsIn(reach).select(COUNT).executeTakeFirst()
      const rows = await chatsIn(reach)
        .innerJoin('identity.people as p', 'p.id', 'c.person_id')
        .leftJoin('rm_accounts as a', 'a.space_id', 'p.home_space_id')
        .select((eb) => [
          'c.person_id as id',
          sql<string>`p.first_name || ' ' || p.last_name`.as('name'),
          'p.home_space_id as space_id',
          eb.fn.coalesce('a.name', sql.lit('')).as('space_name'),
          sql<string>`left(c.last_text, 200)`.as('last_text'),
          'c.last_at',
          'c.waiting',
          eb
            .selectFrom('app.chat_messages as m')
            .select(COUNT)
            .whereRef('m.person_id', '=', 'c.person_id')
            .whereRef('m.number', '>', 'c.read_by_staff')
            .where('m.from_staff', '=', false)
            .as('unread'),
        ])
        .$narrowType<{ unread: NotNull }>()
        .orderBy('c.waiting', 'desc')
        .orderBy('c.last_at', 'desc')
        .orderBy('c.person_id')
        .limit(INBOX_PAGE)
        .offset(page * INBOX_PAGE)
        .execute()
      return { rows: rows.map((row) => ({ ...row, last_at: row.last_at.toISOString() })), total: counted?.count ?? 0 }
    },

    async waiting(reach: Reach): Promise<number> {
      const counted = await chatsIn(reach).select(COUNT).where('c.waiting', '=', true).executeTakeFirst()
      return counted?.count ?? 0
    },

    /** Null for an unknown conversation, and for one out of reach. */
    async read(reach: Reach, personId: string, before: number | undefined): Promise<Conversation | null> {
      const chat = await chatsIn(reach).select('c.read_by_staff').where('c.person_id', '=', personId).executeTakeFirst()
      const read = chat?.read_by_staff
      return read === undefined ? null : conversation(personId, { before, read, staff: true })
    },

    /** The person is notified of the first answer since they read the conversation. */
    reply: (reach: Reach, personId: string, author: string, text: string) =>
      db.transaction().execute(async (tx) => {
        const { rows } = await add(
          tx,
          sql`
            update app.chats c
            set messages = messages + 1, last_at = now(), last_text = ${text}, waiting = false, read_by_staff = messages + 1
            where person_id = ${personId} and ${inReach(reach)} returning person_id, messages as number`,
          { author, fromStaff: true, text },
        )
        const [added] = rows
        if (added === undefined) return null
        await markQuestionRead(tx, author, personId, kit.now())
        const place = await tx
          .selectFrom('app.chats as c')
          .innerJoin('identity.people as p', 'p.id', 'c.person_id')
          .select(['c.read_by_person as read', 'c.whitelabel_id', 'p.home_space_id as space_id'])
          .where('c.person_id', '=', personId)
          .executeTakeFirst()
        if (place !== undefined)
          await notify(tx, kit, {
            kind: 'chat-message',
            cause: `chat after ${place.read}`,
            whitelabelId: place.whitelabel_id,
            spaceId: place.space_id,
            at: kit.now(),
            data: {},
            personId,
            mailAfterSeconds: ANSWER_MAILED_AFTER,
          })
        return added
      }),

    /** False for an unknown conversation, and for one out of reach. */
    async markByStaff(reach: Reach, personId: string, staffId: string, number: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('app.chats as c')
        .set({ read_by_staff: sql`greatest(read_by_staff, least(${number}, messages))` })
        .where('c.person_id', '=', personId)
        .where(inReach(reach))
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return false
      await markQuestionRead(db, staffId, personId, kit.now())
      return true
    },
  }
}
export type Conversations = ReturnType<typeof createConversations>

/** Conversations that wait for an answer, of a white-label or of all. */
export async function countWaiting(db: Kysely<Db>, whitelabelId: string | null): Promise<number> {
  const waiting = await db
    .selectFrom('app.chats')
    .select(COUNT)
    .where('waiting', '=', true)
    .$if(whitelabelId !== null, (found) => found.where('whitelabel_id', '=', whitelabelId))
    .executeTakeFirst()
  return waiting?.count ?? 0
}
