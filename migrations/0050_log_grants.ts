import { sql, type Kysely } from 'kysely'

/**
 * The triggers refuse every change of the log; this takes away the right to it as well, from the role that owns the log too. Whoever
 * wants to change history has to undo both, and superusers alone are above the second.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`revoke update, delete, truncate on es.events from public, current_user`.execute(db)
}
