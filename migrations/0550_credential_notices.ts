import { sql, type Kysely } from 'kysely'

/** The mail before a credential of an exchange or bidder ends (fine print 86). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identity.service_credentials add column end_mailed_at timestamptz`.execute(db)
  // For the scan for credentials that end soon.
  await sql`
    create index on identity.service_credentials (expires_at)
    where revoked_at is null and replaced_at is null and end_mailed_at is null`.execute(db)
}
