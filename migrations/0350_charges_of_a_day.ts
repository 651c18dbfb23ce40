import { sql, type Kysely } from 'kysely'

/** Charges of an account by hour, also those on an invoice: what was spent today. Replaces an index of the others alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index app.delivery_charges_space_id_hour_idx`.execute(db)
  await sql`create index on app.delivery_charges (space_id, hour)`.execute(db)
}
