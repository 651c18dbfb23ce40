import { sql, type Kysely } from 'kysely'

/** What advertisers report by the pixel and by server calls, and the public pixel key of each account. Primary data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.tracked_events (
      space_id text collate "C" not null,
      -- Given by the sender, unique in an account: a repeat is stored once.
      id text collate "C" not null,
      whitelabel_id text collate "C" not null,
      name text collate "C" not null,
      time timestamptz not null,
      received_at timestamptz not null default now(),
      value double precision,
      device_model text,
      url text,
      custom_parameters jsonb not null,
      source text not null check (source in ('pixel', 'server')),
      -- The campaign that the event is attributed to.
      campaign_id text collate "C",
      -- Dimensions of its fact; set for conversions of a campaign alone.
      conversion jsonb,
      visitor text collate "C" not null,
      -- The batch that counts the conversion; null until there is one.
      counted_in text collate "C",
      primary key (space_id, id)
    )`.execute(db)
  await sql`create index on app.tracked_events (space_id, time desc, id)`.execute(db)
  await sql`create index on app.tracked_events (whitelabel_id, time desc, id)`.execute(db)
  await sql`create index on app.tracked_events (time)`.execute(db)
  await sql`
    create index on app.tracked_events (received_at) where conversion is not null and counted_in is null`.execute(db)
  await sql`
    create index on app.tracked_events (campaign_id, visitor, time) where conversion is not null and counted_in is not null`.execute(
    db,
  )
  await sql`
    create table app.pixel_keys (
      space_id text collate "C" primary key,
      key text collate "C" not null unique,
      created_at timestamptz not null default now()
    )`.execute(db)
}
