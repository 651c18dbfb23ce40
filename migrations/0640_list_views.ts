import { sql, type Kysely } from 'kysely'

/** Saved views of the lists of campaigns, and which of them each user opens first (fine print 102). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.list_views (
      id text collate "C" primary key,
      person_id text collate "C" not null references identity.people (id) on delete cascade,
      list text not null check (list in ('account', 'all')),
      -- The account of the list; of the list of all accounts the white-label.
      place_id text collate "C" not null,
      shared boolean not null,
      name text not null,
      state json not null,
      version integer not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      -- A removed view can be restored until it is purged.
      removed_at timestamptz
    )`.execute(db)
  await sql`create index on app.list_views (place_id, list) where removed_at is null`.execute(db)
  await sql`create index on app.list_views (person_id)`.execute(db)
  await sql`create index on app.list_views (removed_at) where removed_at is not null`.execute(db)
  await sql`
    create table app.list_view_defaults (
      person_id text collate "C" not null references identity.people (id) on delete cascade,
      list text not null check (list in ('account', 'all')),
      place_id text collate "C" not null,
      view_id text collate "C" not null references app.list_views (id) on delete cascade,
      primary key (person_id, list, place_id)
    )`.execute(db)
  await sql`create index on app.list_view_defaults (view_id)`.execute(db)
}
