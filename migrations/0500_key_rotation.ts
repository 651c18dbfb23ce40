import { sql, type Kysely } from 'kysely'

/**
 * Rotation of API keys and service credentials, and the mail before a key ends (fine print 86). Keys of before keep their ends,
 * which they all have.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table identity.api_keys
      add column replaced_by text collate "C" references identity.api_keys (id) on delete set null,
      add column replaced_at timestamptz,
      add column end_mailed_at timestamptz`.execute(db)
  await sql`create index on identity.api_keys (replaced_by) where replaced_by is not null`.execute(db)
  // For the scan for keys that end soon.
  await sql`
    create index on identity.api_keys (expires_at)
    where revoked_at is null and replaced_at is null and end_mailed_at is null`.execute(db)
  await sql`
    alter table identity.service_credentials
      add column replaced_by text collate "C" references identity.service_credentials (id) on delete set null,
      add column replaced_at timestamptz`.execute(db)
  await sql`create index on identity.service_credentials (replaced_by) where replaced_by is not null`.execute(db)
}
