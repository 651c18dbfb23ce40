import { sql, type Kysely } from 'kysely'

/**
 * Conversations of users with the staff of their white-label, one for each user. Texts are personal data: they are removed with
 * their person.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.chats (
      person_id     text collate "C" primary key,
      whitelabel_id text collate "C" not null,
      -- Number of the newest message; messages are numbered from 1.
      messages      integer not null default 0,
      last_at       timestamptz not null,
      last_text     text not null,
      -- Whether the newest message is from the user, and so waits for an answer.
      waiting       boolean not null,
      -- Number of the last message that each side has read.
      read_by_person integer not null default 0,
      read_by_staff  integer not null default 0
    )`.execute(db)
  await sql`create index on app.chats (whitelabel_id, waiting desc, last_at desc, person_id)`.execute(db)
  await sql`
    create table app.chat_messages (
      person_id  text collate "C" not null references app.chats (person_id) on delete cascade,
      number     integer not null,
      -- Who wrote it: the person, or a user of the staff.
      author_id  text collate "C" not null,
      from_staff boolean not null,
      text       text not null,
      at         timestamptz not null default now(),
      primary key (person_id, number)
    )`.execute(db)
  // First-run guides that their users have closed.
  await sql`
    create table app.closed_guides (
      person_id text collate "C" primary key,
      closed_at timestamptz not null default now()
    )`.execute(db)
}
