import { sql, type Kysely } from 'kysely'

/**
 * Charges by hour, and the invoice that contains them: an invoice takes the charges of its period, so that its lines are what was
 * delivered, and no charge is on two invoices. Charges of before have the hour in which they were made.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table app.delivery_charges
      add column hour timestamptz,
      -- The invoice that was issued, or is being issued, with this charge.
      add column invoice_id text collate "C",
      -- True where the hour is before the period of that invoice: delivery that was reported late.
      add column late boolean not null default false`.execute(db)
  await sql`update app.delivery_charges set hour = date_trunc('hour', charged_at, 'UTC')`.execute(db)
  await sql`alter table app.delivery_charges alter column hour set not null`.execute(db)
  await sql`alter table app.delivery_charges drop constraint delivery_charges_pkey`.execute(db)
  await sql`alter table app.delivery_charges add primary key (batch_id, campaign_id, hour)`.execute(db)
  await sql`create index on app.delivery_charges (space_id, hour) where invoice_id is null`.execute(db)
  await sql`create index on app.delivery_charges (invoice_id, campaign_id, hour) where invoice_id is not null`.execute(db)
}
