import { sql, type Kysely } from 'kysely'

/**
 * Adds a user's profile and verification state (platform.md §3), and the queue of mails. A user who has not completed their
 * registration has no password.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // status_key: 1 need verification, 2 approved and awaiting completion, 3 rejected, 5 active. type_key: 1 company, 2 individual.
  await sql`
    alter table identity.people
      add column status_key   smallint not null default 5,
      add column suspended    boolean not null default false,
      add column company_name text not null default '',
      add column country      text,
      add column language_key smallint not null default 1,
      add column type_key     smallint not null default 1,
      add column picture_id   text collate "C",
      add column settings     jsonb not null default '{}',
      add column updated_at   timestamptz not null default now(),
      alter column password_hash drop not null`.execute(db)
  // A suspension ends every session, as a new password does.
  await sql`drop trigger people_end_sessions on identity.people`.execute(db)
  await sql`
    create trigger people_end_sessions before update of password_hash, roles, suspended on identity.people
    for each row when (new.password_hash is distinct from old.password_hash or new.roles is distinct from old.roles
      or new.suspended and not old.suspended)
    execute function identity.end_sessions()`.execute(db)
  // Mails name their recipient by id. An address stands here only without a person record.
  await sql`
    create table app.mails (
      id            text collate "C" primary key,
      whitelabel_id text collate "C" not null,
      person_id     text collate "C",
      address       text,
      template      text not null,
      data          jsonb not null,
      created_at    timestamptz not null default now(),
      next_at       timestamptz not null default now(),
      attempts      integer not null default 0,
      sent_at       timestamptz,
      failure       text,
      check (person_id is not null or address is not null)
    )`.execute(db)
  await sql`create index on app.mails (next_at) where sent_at is null and failure is null`.execute(db)
  await sql`create index on app.mails (person_id)`.execute(db)
}
