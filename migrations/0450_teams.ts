import { sql, type Kysely } from 'kysely'

/** People who are kept out of their account, and accounts whose people may lag behind a command. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identity.people add column deactivated boolean not null default false`.execute(db)
  // A deactivation ends every session, as a suspension does.
  await sql`drop trigger people_end_sessions on identity.people`.execute(db)
  await sql`
    create trigger people_end_sessions before update of password_hash, roles, suspended, deactivated, status_key on identity.people
    for each row when (new.password_hash is distinct from old.password_hash or new.roles is distinct from old.roles
      or new.suspended and not old.suspended or new.deactivated and not old.deactivated
      or new.status_key <> 5 and old.status_key = 5)
    execute function identity.end_sessions()`.execute(db)
  // revision: of the account's stream, up to which the records of its people are in line. asked_at: of a command that may have
  // been recorded since.
  await sql`
    create table identity.teams (
      space_id text collate "C" primary key,
      revision bigint not null default -1,
      asked_at timestamptz
    )`.execute(db)
  await sql`create index on identity.teams (asked_at) where asked_at is not null`.execute(db)
}
