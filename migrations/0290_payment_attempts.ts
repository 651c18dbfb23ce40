import { sql, type Kysely } from 'kysely'

/** Attempts of payments, and the mode of Stripe's keys that cards and customers belong to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.payment_tasks add column attempts integer not null default 0`.execute(db)
  // Their mode is that of the keys at the next start.
  for (const table of ['cards', 'payment_customers'])
    await sql`update ${sql.table(`app.${table}`)} set provider = 'stripe_unknown' where provider = 'stripe'`.execute(db)
}
