import { sql, type Kysely } from 'kysely'

/** Rights of one person beyond their roles, and those of the roles that were taken (fine print 89). No change of it ends a session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identity.people add column rights jsonb not null default '[]'`.execute(db)
}
