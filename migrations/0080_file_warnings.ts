import { sql, type Kysely } from 'kysely'

/** Stores the warnings of an upload, so that later readers of the file see them too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.files add column warnings json not null default '[]'`.execute(db)
}
