import { sql, type Kysely } from 'kysely'

/** Single sign-on (fine print 84): providers and mail domains of white-labels, sign-ins under way, and who is linked to whom. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identity.sign_on_providers (
      id text collate "C" primary key,
      whitelabel_id text collate "C" not null,
      name text not null,
      issuer text not null,
      client_id text not null,
      client_secret text,
      scopes text[] not null,
      trusts_addresses boolean not null,
      default_space_id text collate "C",
      default_roles text[] not null,
      role_claim text,
      role_mapping jsonb not null,
      enabled boolean not null,
      created_by text collate "C" not null,
      created_at timestamptz not null,
      changed_at timestamptz not null
    )`.execute(db)
  await sql`create index on identity.sign_on_providers (whitelabel_id)`.execute(db)
  await sql`
    create table identity.sign_on_domains (
      whitelabel_id text collate "C" not null,
      domain text collate "C" not null,
      provider_id text collate "C" not null references identity.sign_on_providers (id) on delete cascade,
      token text not null,
      verified_at timestamptz,
      password_allowed boolean not null,
      created_at timestamptz not null,
      primary key (whitelabel_id, domain)
    )`.execute(db)
  await sql`create index on identity.sign_on_domains (provider_id)`.execute(db)
  // Sign-ins under way: hashes of what the browser and the address hold, each used once.
  await sql`
    create table identity.sign_on_attempts (
      state_hash text collate "C" primary key,
      browser_hash text collate "C" not null,
      provider_id text collate "C" not null references identity.sign_on_providers (id) on delete cascade,
      return_to text not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index on identity.sign_on_attempts (expires_at)`.execute(db)
  await sql`create index on identity.sign_on_attempts (provider_id)`.execute(db)
  await sql`
    create table identity.sign_on_codes (
      code_hash text collate "C" primary key,
      browser_hash text collate "C" not null,
      provider_id text collate "C" not null references identity.sign_on_providers (id) on delete cascade,
      person_id text collate "C" not null references identity.people (id) on delete cascade,
      return_to text not null,
      sign_out text,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index on identity.sign_on_codes (expires_at)`.execute(db)
  await sql`create index on identity.sign_on_codes (provider_id)`.execute(db)
  await sql`create index on identity.sign_on_codes (person_id)`.execute(db)
  await sql`
    create table identity.sign_on_links (
      provider_id text collate "C" not null references identity.sign_on_providers (id) on delete cascade,
      subject text collate "C" not null,
      person_id text collate "C" not null references identity.people (id) on delete cascade,
      created_at timestamptz not null,
      primary key (provider_id, subject),
      unique (provider_id, person_id)
    )`.execute(db)
  await sql`create index on identity.sign_on_links (person_id)`.execute(db)
  // What the end of a session needs to know of its provider; sealed.
  await sql`
    create table identity.sign_on_sessions (
      family text collate "C" primary key references identity.session_families (id) on delete cascade,
      provider_id text collate "C" not null references identity.sign_on_providers (id) on delete cascade,
      sign_out text
    )`.execute(db)
  await sql`create index on identity.sign_on_sessions (provider_id)`.execute(db)
}
