import { sql, type Kysely } from 'kysely'

/**
 * Who reviews which waiting submission now, and who should (fine print 101). Short-lived rows, one for each campaign; `changed_at` is
 * polled by processes with open pages of moderators.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.review_holds (
      campaign_id text collate "C" primary key,
      whitelabel_id text collate "C" not null,
      moderation_start_at text collate "C" not null,
      person_id text collate "C" not null,
      state text not null check (state in ('held', 'released', 'decided')),
      since timestamptz not null,
      until timestamptz not null,
      changed_at timestamptz not null
    )`.execute(db)
  await sql`create index on app.review_holds (changed_at)`.execute(db)
  await sql`
    create table app.review_assignments (
      campaign_id text collate "C" primary key,
      whitelabel_id text collate "C" not null,
      moderation_start_at text collate "C" not null,
      person_id text collate "C",
      changed_at timestamptz not null
    )`.execute(db)
  await sql`create index on app.review_assignments (changed_at)`.execute(db)
}
