import { sql, type Kysely } from 'kysely'

/** Choices of a white-label; a white-label without a row has the defaults. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.whitelabel_settings (
      whitelabel_id text collate "C" primary key,
      own_approval  boolean not null default false
    )`.execute(db)
}
