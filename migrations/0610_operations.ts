import { sql, type Kysely } from 'kysely'

/** Processes that are alive, and the newest errors of all of them (fine print 98). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.processes (
      id text collate "C" primary key,
      host text not null,
      pid integer not null,
      role text not null,
      version text not null,
      started_at timestamptz not null default now(),
      seen_at timestamptz not null default now(),
      away jsonb not null
    )`.execute(db)
  await sql`
    create table app.server_errors (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      host text not null,
      pid integer not null,
      request_id text collate "C",
      route text,
      status integer,
      message text not null
    )`.execute(db)
  await sql`create index server_errors_by_request on app.server_errors (request_id) where request_id is not null`.execute(db)
}
