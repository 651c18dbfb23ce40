import { sql, type Kysely } from 'kysely'

/** Batches whose facts are stored together: the id of the first of them, which the fact store counts once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.delivery_batches add column fact_group text collate "C"`.execute(db)
  // Those that wait may be half stored under their own ids.
  await sql`update app.delivery_batches set fact_group = id where facts is not null`.execute(db)
  await sql`create index on app.delivery_batches (fact_group) where facts is not null`.execute(db)
}
