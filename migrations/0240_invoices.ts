import { sql, type Kysely } from 'kysely'

/** Numbers and periods of invoices, which are taken under a lock, and the parties that an issued document names. Primary data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.invoice_numbers (
      whitelabel_id text collate "C" not null,
      -- Counts from 1 in each white-label, without gaps.
      number integer not null,
      document_id text collate "C" not null unique,
      year integer not null,
      primary key (whitelabel_id, number)
    )`.execute(db)
  // What one attempt to issue an invoice found: a second process that finishes the same attempt takes the same.
  await sql`
    create table app.invoice_attempts (
      invoice_id text collate "C" not null,
      issued_at text collate "C" not null,
      taken boolean not null,
      primary key (invoice_id, issued_at)
    )`.execute(db)
  await sql`
    create table app.invoice_periods (
      invoice_id text collate "C" primary key,
      space_id text collate "C" not null,
      from_at timestamptz not null,
      to_at timestamptz not null,
      -- Once issued, later charges of the period are late.
      issued boolean not null default false,
      claimed_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index on app.invoice_periods (space_id, from_at)`.execute(db)
  // Legal names and tax numbers as they were when the document was issued: personal data, kept as long as the law asks for.
  await sql`
    create table identity.invoice_parties (
      document_id text collate "C" primary key,
      space_id text collate "C" not null,
      parties jsonb not null,
      created_at timestamptz not null default now()
    )`.execute(db)
}
