import { sql, type Kysely } from 'kysely'

/** Users, credentials, sessions, secrets and answers: primary tables, always in PostgreSQL, for every event store. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create schema if not exists identity`.execute(db)
  await sql`
    create table identity.people (
      id text collate "C" primary key,
      whitelabel_id text collate "C" not null,
      home_space_id text collate "C" not null,
      roles text[] not null,
      first_name text not null,
      last_name text not null,
      email text not null check (email = lower(email)),
      phone text,
      password_hash text not null,
      token_version integer not null default 1,
      created_at timestamptz not null default now(),
      unique (whitelabel_id, email)
    )`.execute(db)
  await sql`
    create table identity.sessions (
      token_hash text collate "C" primary key,
      family text collate "C" not null,
      person_id text collate "C" not null references identity.people (id) on delete cascade,
      space_id text collate "C" not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      revoked_at timestamptz
    )`.execute(db)
  await sql`create index on identity.sessions (family)`.execute(db)
  await sql`create index on identity.sessions (expires_at)`.execute(db)
  await sql`create schema if not exists app`.execute(db)
  await sql`
    create table app.secrets (
      name text primary key,
      value text not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table app.answers (
      user_id text collate "C" not null,
      route text collate "C" not null,
      key text collate "C" not null,
      body_hash text not null,
      answer json not null,
      created_at timestamptz not null default now(),
      primary key (user_id, route, key)
    )`.execute(db)
  await sql`create index on app.answers (created_at)`.execute(db)
  await sql`
    create table app.files (
      id text collate "C" primary key,
      space_id text collate "C" not null,
      sha256 text collate "C" not null,
      bytes integer not null,
      content_type text not null,
      width integer,
      height integer,
      name text not null,
      created_by text collate "C" not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index on app.files (space_id)`.execute(db)
  await sql`
    create table app.file_grants (
      file_id text collate "C" not null references app.files (id),
      space_id text collate "C" not null,
      primary key (file_id, space_id)
    )`.execute(db)
}
