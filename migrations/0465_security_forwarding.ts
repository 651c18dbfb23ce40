import { sql, type Kysely } from 'kysely'

/** How far security events were sent to a receiver outside (fine print 82). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.security_forwarding (
      destination text collate "C" primary key,
      position bigint not null
    )`.execute(db)
}
