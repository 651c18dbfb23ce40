import { sql, type Kysely } from 'kysely'

/** Sessions whose refresh token is in a cookie: no call with their access token answers another one (fine print 90). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identity.session_families add column in_cookie boolean not null default false`.execute(db)
}
