import { sql, type Kysely } from 'kysely'

/**
 * Nobody looks for events by the time the server stored them: within the log it goes with the position, and business time is in the
 * metadata. Every append paid for the index.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`drop index es.events_recorded_at`.execute(db)
}
