import { sql, type Kysely } from 'kysely'

/** The second factor, what a session tells its user about itself, known devices, API keys, and pictures of users. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table identity.session_families
      add column user_agent text,
      add column network text,
      add column last_used_at timestamptz`.execute(db)
  // The secret is sealed under the person's own key: an erasure makes it unreadable.
  await sql`
    create table identity.second_factors (
      person_id text collate "C" primary key references identity.people (id) on delete cascade,
      secret text not null,
      created_at timestamptz not null,
      confirmed_at timestamptz,
      last_step bigint
    )`.execute(db)
  await sql`
    create table identity.recovery_codes (
      person_id text collate "C" not null references identity.people (id) on delete cascade,
      code_hash text collate "C" not null,
      used_at timestamptz,
      primary key (person_id, code_hash)
    )`.execute(db)
  await sql`
    create table identity.challenges (
      token_hash text collate "C" primary key,
      person_id text collate "C" not null references identity.people (id) on delete cascade,
      token_version integer not null,
      expires_at timestamptz not null,
      attempts integer not null default 0
    )`.execute(db)
  await sql`create index on identity.challenges (expires_at)`.execute(db)
  await sql`
    create table identity.known_devices (
      person_id text collate "C" not null references identity.people (id) on delete cascade,
      device text collate "C" not null,
      last_at timestamptz not null,
      primary key (person_id, device)
    )`.execute(db)
  await sql`
    create table identity.api_keys (
      id text collate "C" primary key,
      person_id text collate "C" not null references identity.people (id) on delete cascade,
      name text not null,
      hint text not null,
      secret_hash text collate "C" not null unique,
      scopes text[] not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      revoked_at timestamptz
    )`.execute(db)
  await sql`create index on identity.api_keys (person_id)`.execute(db)
  await sql`
    create table identity.pictures (
      id text collate "C" primary key,
      person_id text collate "C" not null references identity.people (id) on delete cascade,
      content_type text not null,
      bytes bytea not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index on identity.pictures (person_id)`.execute(db)
  await sql`create index on app.security_events (person_id, id) where person_id is not null`.execute(db)
}
