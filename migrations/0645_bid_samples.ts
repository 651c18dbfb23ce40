import { sql, type Kysely } from 'kysely'

/**
 * Impressions that bidders sampled, for the rule lab (fine print 103): values of filters without personal data. The newest thousand
 * of a white-label stay, for a week. Without a white-label they came with the service token, and count for all.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.bid_samples (
      id bigint generated always as identity primary key,
      whitelabel_id text collate "C",
      received_at timestamptz not null default clock_timestamp(),
      facts jsonb not null
    )`.execute(db)
  await sql`create index on app.bid_samples (whitelabel_id, id)`.execute(db)
}
