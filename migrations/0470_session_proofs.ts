import { sql, type Kysely } from 'kysely'

/** When the user of a session last proved themself (fine print 83): at the sign-in, or by a later proof; never by a refresh. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null for sessions of before: their next call that needs a proof asks for one.
  await sql`alter table identity.session_families add column proved_at timestamptz`.execute(db)
}
