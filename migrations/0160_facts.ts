import { sql, type Kysely } from 'kysely'

/**
 * Delivered facts in PostgreSQL: rows by month, and rollups by hour and day. A rollup row sums the facts of one campaign, period,
 * grouping and key, so that a report reads as many rows as it shows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create schema facts`.execute(db)
  await sql`
    create table facts.batches (
      id text collate "C" primary key,
      stored_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table facts.rows (
      hour timestamptz not null,
      space_id text collate "C" not null,
      whitelabel_id text collate "C" not null,
      campaign_id text collate "C" not null,
      device_type_key smallint not null,
      creative_id text collate "C" not null,
      size text collate "C" not null,
      exchange text collate "C" not null,
      publisher text collate "C" not null,
      app_or_site text collate "C" not null,
      os text collate "C" not null,
      country text collate "C" not null,
      region text collate "C" not null,
      city text collate "C" not null,
      ${MEASURES}
    ) partition by range (hour)`.execute(db)
  await sql`create index on facts.rows (campaign_id, hour)`.execute(db)
  await sql`create index on facts.rows (space_id, hour)`.execute(db)
  for (const [table, period] of [
    ['hours', 'timestamptz'],
    ['days', 'date'],
  ] as const) {
    await sql`
      create table facts.${sql.raw(table)} (
        campaign_id text collate "C" not null,
        space_id text collate "C" not null,
        whitelabel_id text collate "C" not null,
        grouping text collate "C" not null,
        period ${sql.raw(period)} not null,
        key text collate "C" not null,
        ${MEASURES},
        primary key (campaign_id, grouping, period, key)
      )`.execute(db)
    await sql`create index on facts.${sql.raw(table)} (space_id, grouping, period)`.execute(db)
    await sql`create index on facts.${sql.raw(table)} (whitelabel_id, grouping, period)`.execute(db)
  }
}

const MEASURES = sql.raw(
  [
    'impressions',
    'clicks',
    'conversions',
    'unique_conversions',
    'conversions_unique_bid',
    'bids',
    'reach',
    'bounces',
    'engagements',
    'completed_views',
    'spent',
    'overdelivered',
  ]
    .map((measure) => `${measure} bigint not null`)
    .join(', '),
)
