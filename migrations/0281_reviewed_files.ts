import { sql, type Kysely } from 'kysely'

/**
 * When a review first approved content with this file: from then on its plain address works for everybody. Files that campaigns used
 * before this were public all along, and bidders know their addresses.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.files add column reviewed_at timestamptz`.execute(db)
  await sql`update app.files set reviewed_at = now() where claimed_at is not null`.execute(db)
}
