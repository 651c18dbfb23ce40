import { sql, type Kysely } from 'kysely'

/** Mails that a server may have taken without saying so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.mails add column uncertain boolean not null default false`.execute(db)
}
