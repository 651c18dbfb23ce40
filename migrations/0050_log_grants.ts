import { sql, type Kysely } from 'kysely'

/**
 * The triggers refuse every change of the log. This also revokes the privilege, even from the owner of the log: changing history
 * requires undoing both, and only superusers bypass the second.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`revoke update, delete, truncate on es.events from public, current_user`.execute(db)
}
