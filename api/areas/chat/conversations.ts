import { sql, type Kysely } from 'kysely'
import type { ChatMessage, Conversation, InboxRow } from '../../contract/chat.ts'
import type { Kit } from '../../kit/kit.ts'
import { markChatRead, markQuestionRead } from '../../kit/notifications/notifications.ts'
import { notify, type NotifyKit } from '../../kit/notifications/notify.ts'

/** Messages of one answer. */
const MOST_MESSAGES = 50
export const INBOX_PAGE = 25
/** A user who reads the answer meanwhile gets no mail about it, seconds. */
const ANSWER_MAILED_AFTER = 60

/** Where a conversation belongs, and the last number that its other side has read. */
type Place = { readonly read: number; readonly whitelabel_id: string; readonly space_id: string }

/** Conversations that a caller may read; null for every white-label. */
export type Reach = { readonly whitelabelId: string | null }

/** System administrators stand above the white-label that they belong to. */
const inReach = ({
  whitelabelId,
}: Reach) => sql`(${whitelabelId}::text is null or c.whitelabel_id = ${whitelabelId} and not exists (
  select from identity.people a where a.id = c.person_id and 'SYSTEM_ADMIN' = any(a.roles)))`

/** Conversations of users with staff. They are personal data in PostgreSQL, and are removed with their person. */
export function createConversations(kit: NotifyKit & Pick<Kit, 'db'>) {
  const { db } = kit
  /** Adds a message under the next number. The row of the conversation is locked, so that no two messages get one number. */
  const add = (
    on: Kysely<never>,
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
    const { rows } = await sql<{ unread: number }>`
      select count(*)::int as unread from app.chat_messages
      where person_id = ${personId} and number > ${read} and from_staff <> ${staff}`.execute(db)
    return {
      messages: found.slice(0, MOST_MESSAGES).toReversed(),
      more: found.length > MOST_MESSAGES,
      unread: rows[0]?.unread ?? 0,
    }
  }

  return {
    async own(personId: string, before: number | undefined): Promise<Conversation> {
      const { rows } = await sql<{ read: number }>`
        select read_by_person as read from app.chats where person_id = ${personId}`.execute(db)
      return conversation(personId, { before, read: rows[0]?.read ?? 0, staff: false })
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
        const { rows: places } = await sql<Place & { readonly account: string }>`
        select c.read_by_staff as read, c.whitelabel_id, p.home_space_id as space_id, coalesce(a.name, '') as account
        from app.chats c join identity.people p on p.id = c.person_id left join rm_accounts a on a.space_id = p.home_space_id
        where c.person_id = ${personId}`.execute(tx)
        const [place] = places
        if (place !== undefined)
          await notify(tx, kit, {
            kind: 'chat-question',
            cause: `chat of ${personId} after ${place.read}`,
            whitelabelId: place.whitelabel_id,
            spaceId: place.space_id,
            at: kit.now(),
            data: { id: personId, account: place.account },
            colleaguesOf: personId,
            mailAfterSeconds: ANSWER_MAILED_AFTER,
          })
        return added
      }),

    async markOwn(personId: string, number: number): Promise<void> {
      await sql`
        update app.chats set read_by_person = least(${number}, messages)
        where person_id = ${personId} and read_by_person < least(${number}, messages)`.execute(db)
      await markChatRead(kit, personId)
    },

    async inbox(reach: Reach, page: number): Promise<{ readonly rows: readonly InboxRow[]; readonly total: number }> {
      const { rows: counted } = await sql<{ n: number }>`
        select count(*)::int as n from app.chats c where ${inReach(reach)}`.execute(db)
      const { rows } = await sql<Omit<InboxRow, 'last_at'> & { last_at: Date }>`
        select c.person_id as id, p.first_name || ' ' || p.last_name as name, p.home_space_id as space_id,
               coalesce(a.name, '') as space_name, left(c.last_text, 200) as last_text, c.last_at, c.waiting,
               (select count(*)::int from app.chat_messages m
                where m.person_id = c.person_id and m.number > c.read_by_staff and not m.from_staff) as unread
        from app.chats c join identity.people p on p.id = c.person_id left join rm_accounts a on a.space_id = p.home_space_id
        where ${inReach(reach)}
        order by c.waiting desc, c.last_at desc, c.person_id limit ${INBOX_PAGE} offset ${page * INBOX_PAGE}`.execute(db)
      return { rows: rows.map((row) => ({ ...row, last_at: row.last_at.toISOString() })), total: counted[0]?.n ?? 0 }
    },

    async waiting(reach: Reach): Promise<number> {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from app.chats c where c.waiting and ${inReach(reach)}`.execute(db)
      return rows[0]?.n ?? 0
    },

    /** Null for an unknown conversation, and for one out of reach. */
    async read(reach: Reach, personId: string, before: number | undefined): Promise<Conversation | null> {
      const { rows } = await sql<{ read: number }>`
        select read_by_staff as read from app.chats c where person_id = ${personId} and ${inReach(reach)}`.execute(db)
      const read = rows[0]?.read
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
        const { rows: places } = await sql<Place>`
          select c.read_by_person as read, c.whitelabel_id, p.home_space_id as space_id
          from app.chats c join identity.people p on p.id = c.person_id where c.person_id = ${personId}`.execute(tx)
        const [place] = places
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
      const { numAffectedRows } = await sql`
        update app.chats c set read_by_staff = greatest(read_by_staff, least(${number}, messages))
        where person_id = ${personId} and ${inReach(reach)}`.execute(db)
      if (numAffectedRows !== 1n) return false
      await markQuestionRead(db, staffId, personId, kit.now())
      return true
    },
  }
}
