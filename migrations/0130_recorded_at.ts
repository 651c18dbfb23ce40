import { sql, type Kysely } from 'kysely'

/**
 * No query selects events by the time when the server stored them: it follows the position, and business time is in the metadata.
 * The index slowed every append.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index es.events_recorded_at`.execute(db)
}
