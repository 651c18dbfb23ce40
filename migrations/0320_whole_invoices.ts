import { sql, type Kysely } from 'kysely'

/** What an invoice names of its parties, and the number of impressions behind each charge. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table identity.legal_entities
      add column address_line_1 text not null default '',
      add column address_line_2 text not null default '',
      add column city text not null default '',
      add column postal_code text not null default '',
      add column country text not null default '',
      add column invoice_email text not null default ''`.execute(db)
  // Null for earlier charges: impressions were not counted by charge.
  await sql`alter table app.delivery_charges add column impressions bigint`.execute(db)
}
