import { sql, type Kysely } from 'kysely'

/** Saves under way that name an audience: it is not deleted before they are done. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.audience_claims (
      audience_id text collate "C" not null,
      claim_id text collate "C" not null,
      claimed_at timestamptz not null default now(),
      primary key (audience_id, claim_id)
    )`.execute(db)
  await sql`create index on app.audience_claims (claim_id)`.execute(db)
}
