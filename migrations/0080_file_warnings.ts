import { sql, type Kysely } from 'kysely'

/** What an upload warned of is still known when the file is looked at later, and by others. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table app.files add column warnings json not null default '[]'`.execute(db)
}
