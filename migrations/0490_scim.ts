import { sql, type Kysely } from 'kysely'

/** SCIM (fine print 85): tokens of white-labels, of which only the SHA-256 is stored, and what a directory says of people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identity.scim_tokens (
      id text collate "C" primary key,
      whitelabel_id text collate "C" not null,
      secret_hash text collate "C" not null unique,
      created_by text collate "C" not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index on identity.scim_tokens (whitelabel_id)`.execute(db)
  // A person whom the directory deleted is kept here, so that it can create them again.
  await sql`
    create table identity.scim_people (
      person_id text collate "C" primary key references identity.people (id) on delete cascade,
      external_id text,
      changed_at timestamptz not null,
      deleted_at timestamptz
    )`.execute(db)
}
