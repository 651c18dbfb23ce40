import { sql, type Kysely } from 'kysely'

/** Ids of the demo users, which are the same in every installation. */
const DEMO_PEOPLE = [
  '258626a3-57e7-5299-9ca2-52c08965a05e',
  '8c2fd38f-a19a-519c-ad5e-ef3a178debba',
  'bb34f294-bbb2-590b-a986-d12a8743f9bf',
  '1b5b122a-9e55-54bc-8756-46a4a5d9537a',
  '308e2e42-f68f-5a99-90b0-c2950fefb86e',
  '395ccb20-56fc-5d64-a63d-8fcc7eeac0d6',
  '5f00772d-f62c-50d3-ac88-0af16215baca',
  'c109664e-6f54-54ff-ba0f-9bbd14618645',
]

/** Adds a row per session (family of refresh tokens), to which access tokens refer, and marks demo users. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identity.people add column demo boolean not null default false`.execute(db)
  await sql`update identity.people set demo = true where id = any(${DEMO_PEOPLE})`.execute(db)
  // expires_at: when the newest refresh token expires; never later than 90 days after started_at.
  await sql`
    create table identity.session_families (
      id text collate "C" primary key,
      person_id text collate "C" not null references identity.people (id) on delete cascade,
      started_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz
    )`.execute(db)
  // When an old session began is not stored: its oldest token was issued 30 days before that token expires.
  await sql`
    insert into identity.session_families (id, person_id, started_at, expires_at, revoked_at)
    select family, min(person_id), min(expires_at) - interval '30 days', max(expires_at), min(revoked_at)
    from identity.sessions group by family`.execute(db)
  await sql`create index on identity.session_families (person_id)`.execute(db)
  await sql`create index on identity.session_families (expires_at)`.execute(db)
  await sql`alter table identity.sessions drop column revoked_at`.execute(db)
  // A new password or other roles end every session, whatever writes the row ("follows a changed ...").
  await sql`
    create function identity.end_sessions() returns trigger language plpgsql as $$
    begin
      new.token_version := old.token_version + 1;
      update identity.session_families set revoked_at = now() where person_id = old.id and revoked_at is null;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger people_end_sessions before update of password_hash, roles on identity.people
    for each row when (new.password_hash is distinct from old.password_hash or new.roles is distinct from old.roles)
    execute function identity.end_sessions()`.execute(db)
}
