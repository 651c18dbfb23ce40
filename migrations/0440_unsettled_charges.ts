import { sql, type Kysely } from 'kysely'

/** Charges as balances add them to what the ledger settled: under a name without a schema, which reads of then replace. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create view unsettled_charges as select space_id, settlement, amount from app.delivery_charges`.execute(db)
}
