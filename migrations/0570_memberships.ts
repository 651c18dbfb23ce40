import { sql, type Kysely } from 'kysely'

/**
 * People of further accounts of their white-label, beside their home account (fine print 93). Sessions and API keys belong to one
 * account each.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // state: as the account's stream says; pending until it says anything. Names: as the inviter entered them, shown until the person
  // accepts. invited_at: of the last mail.
  await sql`
    create table identity.memberships (
      person_id text collate "C" not null references identity.people (id) on delete cascade,
      space_id text collate "C" not null,
      state text not null default 'pending'
        check (state in ('pending', 'invited', 'active', 'deactivated', 'withdrawn', 'erased')),
      roles text[] not null default '{}',
      rights jsonb not null default '[]',
      first_name text not null default '',
      last_name text not null default '',
      invited_by text collate "C",
      invited_at timestamptz not null default now(),
      joined_at timestamptz,
      primary key (person_id, space_id)
    )`.execute(db)
  await sql`create index on identity.memberships (space_id)`.execute(db)
  // Null: the home account. Staff who act in an account have null too, since their rights come from home.
  await sql`alter table identity.session_families add column space_id text collate "C"`.execute(db)
  await sql`alter table identity.api_keys add column space_id text collate "C"`.execute(db)
  await sql`create index on identity.session_families (space_id) where space_id is not null`.execute(db)
  await sql`create index on identity.api_keys (space_id) where space_id is not null`.execute(db)

  // Where people may act now, with their roles there. Of a person, further conditions hold (`mayEnter`).
  await sql`
    create view identity.account_access as
    select p.id as person_id, p.home_space_id as space_id, true as home, p.roles, p.rights, p.created_at as since
    from identity.people p where not p.suspended and not p.deactivated
    union all
    select m.person_id, m.space_id, false, m.roles, m.rights, m.joined_at
    from identity.memberships m
    where m.state = 'active' and not exists (
      select from identity.account_suspensions s where s.space_id = m.space_id and s.suspended)`.execute(db)

  // New passwords and roles are recorded, as migration 0154 has it. What changes access to the home account alone leaves the sessions and keys of other accounts ("are left ...").
  await sql`
    create or replace function identity.end_sessions() returns trigger language plpgsql as $$
    begin
      insert into app.security_events (at, type, whitelabel_id, person_id, details, count)
      select now(), type, old.whitelabel_id, old.id, details, 1
      from (values ('password-changed', '{}'::json, new.password_hash is distinct from old.password_hash),
                   ('roles-changed', json_build_object('from', old.roles, 'to', new.roles), new.roles is distinct from old.roles)
           ) as change (type, details, happened)
      where happened;
      if new.password_hash is not distinct from old.password_hash and new.status_key = 5 and exists (
        select from identity.memberships where person_id = old.id and state = 'active')
      then
        update identity.session_families set revoked_at = now()
        where person_id = old.id and space_id is null and revoked_at is null;
        update identity.api_keys set revoked_at = now() where person_id = old.id and space_id is null and revoked_at is null;
        return new;
      end if;
      new.token_version := old.token_version + 1;
      update identity.session_families set revoked_at = now() where person_id = old.id and revoked_at is null;
      return new;
    end $$`.execute(db)
  // Sessions that acted in a lost account go home. Its keys end, also with other roles, as those of the home account do.
  await sql`
    create function identity.end_membership() returns trigger language plpgsql as $$
    begin
      if new.state <> 'active' then
        update identity.session_families set space_id = null where person_id = old.person_id and space_id = old.space_id;
      end if;
      update identity.api_keys set revoked_at = now()
      where person_id = old.person_id and space_id = old.space_id and revoked_at is null;
      if new.roles is distinct from old.roles then
        insert into app.security_events (at, type, whitelabel_id, person_id, details, count)
        select now(), 'roles-changed', whitelabel_id, id, json_build_object('from', old.roles, 'to', new.roles, 'space', old.space_id), 1
        from identity.people where id = old.person_id;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger memberships_end after update on identity.memberships
    for each row when (old.state = 'active' and (new.state <> 'active' or new.roles is distinct from old.roles))
    execute function identity.end_membership()`.execute(db)
  // The same for all people who joined an account that is suspended.
  await sql`
    create function identity.end_account() returns trigger language plpgsql as $$
    begin
      update identity.session_families set space_id = null where space_id = new.space_id;
      update identity.api_keys set revoked_at = now() where space_id = new.space_id and revoked_at is null;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger account_suspensions_end after insert or update on identity.account_suspensions
    for each row when (new.suspended) execute function identity.end_account()`.execute(db)
}
