import { sql, type Kysely } from 'kysely'

/** Credentials of exchanges and bidders; of the secret only its SHA-256. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identity.service_credentials (
      id text collate "C" primary key,
      whitelabel_id text collate "C" not null,
      name text not null,
      kind text not null check (kind in ('exchange', 'bidder')),
      exchange text check ((exchange is not null) = (kind = 'exchange')),
      secret_hash text collate "C" not null unique,
      created_by text collate "C" not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz
    )`.execute(db)
  await sql`create index on identity.service_credentials (whitelabel_id)`.execute(db)
}
