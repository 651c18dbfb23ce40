import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The row of an erased user is kept without a key, so that no other key is created for the id.
  await sql`
    create table identity.person_keys (
      person_id text collate "C" primary key,
      key bytea check (length(key) = 32),
      created_at timestamptz not null default now(),
      erased_at timestamptz,
      check ((key is null) = (erased_at is not null))
    )`.execute(db)
}
