import { sql, type Kysely } from 'kysely'

/** Incoming registrations, the keys in mails (confirmation, reset, setup), and what was mailed about balances. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identity.people add column moderator_comment text`.execute(db)
  await sql`create index on identity.people (home_space_id)`.execute(db)
  await sql`create index on identity.people (id) where status_key = 1`.execute(db)
  // A sign-up waits here until the policies carry it out: whether the address has an account then changes nothing about the
  // answer, nor about its timing. Rows of `account/add` name their person, whose record exists already.
  await sql`
    create table app.registration_requests (
      id            text collate "C" primary key,
      whitelabel_id text collate "C" not null,
      person_id     text collate "C",
      context       jsonb not null,
      form          jsonb not null,
      received_at   timestamptz not null default now()
    )`.execute(db)
  await sql`create index on app.registration_requests (received_at)`.execute(db)
  // Keys are created when their mail is sent, and stored as SHA-256 only.
  await sql`
    create table identity.mail_keys (
      key_hash   text collate "C" primary key,
      person_id  text collate "C" not null references identity.people (id) on delete cascade,
      purpose    text not null check (purpose in ('confirmation', 'reset')),
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at    timestamptz
    )`.execute(db)
  await sql`create index on identity.mail_keys (person_id)`.execute(db)
  await sql`create index on identity.mail_keys (expires_at)`.execute(db)
  // The notices of a low balance that were mailed last, and the position in the log up to which they were read.
  await sql`
    create table app.mailed_notices (
      space_id text collate "C" primary key,
      notices  text[] not null,
      version  integer not null
    )`.execute(db)
  await sql`
    create table app.mail_cursor (
      name     text primary key,
      position bigint not null
    )`.execute(db)
}
