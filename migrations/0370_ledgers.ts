import { sql, type Kysely } from 'kysely'

/**
 * Books of an account's spend, one stream a month: which of them are open, and what they add up to. Settlements of before have no
 * month: they are in the stream of their account. Snapshots are kept beside the log; they can be deleted at any time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.ledgers (
      space_id text collate "C" not null,
      -- yyyymm, UTC.
      month text collate "C" not null,
      -- Spend of the month, micros.
      spent bigint not null,
      closed boolean not null default false,
      primary key (space_id, month)
    )`.execute(db)
  await sql`create index on app.ledgers (month) where not closed`.execute(db)
  await sql`alter table app.settlements add column month text collate "C"`.execute(db)
  await sql`
    create table es.snapshots (
      stream_id text collate "C" primary key,
      shape text not null,
      version integer not null,
      snapshot jsonb not null
    )`.execute(db)
}
