import { sql, type Kysely } from 'kysely'

/** Accepted batches, billed spend by campaign, and charges that the ledger has yet to settle. Primary data (fine print 20). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.delivery_batches (
      id text collate "C" primary key,
      body_hash text not null,
      received_at timestamptz not null default now(),
      rows integer not null,
      spent bigint not null,
      overdelivered bigint not null,
      -- The billed facts until the fact store has them.
      facts jsonb,
      bidder text collate "C"
    )`.execute(db)
  await sql`create index on app.delivery_batches (received_at) where facts is not null`.execute(db)
  await sql`
    create table app.campaign_spend (
      campaign_id text collate "C" not null,
      day date not null,
      billed bigint not null,
      overdelivered bigint not null,
      primary key (campaign_id, day)
    )`.execute(db)
  await sql`
    create table app.campaign_spend_totals (
      campaign_id text collate "C" primary key,
      billed bigint not null,
      overdelivered bigint not null,
      -- End of the hour in which billed spend last grew.
      last_billed_until timestamptz,
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index on app.campaign_spend_totals (updated_at)`.execute(db)
  await sql`
    create table app.delivery_charges (
      batch_id text collate "C" not null references app.delivery_batches (id),
      space_id text collate "C" not null,
      campaign_id text collate "C" not null,
      amount bigint not null,
      charged_at timestamptz not null default now(),
      -- Number of the account's settlement that contains it; null until there is one.
      settlement integer,
      primary key (batch_id, campaign_id)
    )`.execute(db)
  await sql`create index on app.delivery_charges (space_id, settlement)`.execute(db)
  await sql`create index on app.delivery_charges (charged_at) where settlement is null`.execute(db)
  await sql`
    create table app.settlements (
      space_id text collate "C" not null,
      number integer not null,
      made_at timestamptz not null default now(),
      -- True once the ledger has the event.
      recorded boolean not null default false,
      primary key (space_id, number)
    )`.execute(db)
  await sql`create index on app.settlements (space_id) where not recorded`.execute(db)
}
