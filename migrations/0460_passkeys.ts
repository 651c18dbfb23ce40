import { sql, type Kysely } from 'kysely'

/** Passkeys (fine print 78): public keys of people, and challenges that were answered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identity.passkeys (
      id text collate "C" primary key,
      person_id text collate "C" not null references identity.people (id) on delete cascade,
      rp_id text collate "C" not null,
      credential_id text collate "C" not null unique,
      public_key bytea not null,
      sign_count bigint not null,
      transports text[] not null,
      backed_up boolean not null,
      name text not null,
      created_at timestamptz not null,
      used_at timestamptz
    )`.execute(db)
  await sql`create index on identity.passkeys (person_id)`.execute(db)
  // Challenges are signed values: only those that were answered are stored, until they expire.
  await sql`
    create table identity.answered_challenges (
      challenge_hash text collate "C" primary key,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index on identity.answered_challenges (expires_at)`.execute(db)
  // A passkey counts as a second factor: keys and links end when one is added or removed (fine print 73).
  await sql`
    create trigger passkeys_end_keys after insert or delete on identity.passkeys
    for each row execute function identity.end_keys_of_factor()`.execute(db)
}
