import { sql, type Kysely } from 'kysely'

/** Which session at the provider a session here began with: the provider names it when it ends (fine print 92). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identity.sign_on_codes add column provider_session text collate "C"`.execute(db)
  await sql`alter table identity.sign_on_sessions add column provider_session text collate "C"`.execute(db)
}
