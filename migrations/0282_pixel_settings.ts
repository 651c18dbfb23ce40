import { sql, type Kysely } from 'kysely'

/** Switching a pixel off, the sites that may use it, and the events that an account stored on a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // origins: of pages; empty for any.
  await sql`
    alter table app.pixel_keys
      add column enabled boolean not null default true,
      add column origins text[] not null default '{}'`.execute(db)
  await sql`
    create table app.tracked_days (
      space_id text collate "C" not null,
      day      date not null,
      events   integer not null,
      primary key (space_id, day)
    )`.execute(db)
}
