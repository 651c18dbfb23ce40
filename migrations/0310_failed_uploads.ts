import { sql, type Kysely } from 'kysely'

/** Failed uploads are few, and a policy asks for them all the time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index on app.audience_uploads (audience_id, version) where state = 'failed'`.execute(db)
}
