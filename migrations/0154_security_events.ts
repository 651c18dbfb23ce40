import { sql, type Kysely } from 'kysely'

/** Security events: append-only, in commit order. Users appear by id only; networks are encrypted or hashed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.security_events (
      id bigint generated always as identity (cache 1) primary key,
      at timestamptz not null,
      type text not null,
      whitelabel_id text collate "C",
      person_id text collate "C",
      client_network text,
      details json not null,
      count integer not null check (count > 0)
    )`.execute(db)
  await sql`
    create function app.refuse_security_change() returns trigger language plpgsql as $$
    begin
      raise exception 'app.security_events is append-only: % refused', tg_op using errcode = 'ES002';
    end $$`.execute(db)
  await sql`
    create trigger security_events_append_only before update or delete or truncate on app.security_events
    for each statement execute function app.refuse_security_change()`.execute(db)
  await sql`revoke update, delete, truncate on app.security_events from public, current_user`.execute(db)
  // Ids are assigned and committed in the same order: a reader that continues after the newest id misses nothing
  // ("a reader misses no event that was being written").
  await sql`
    create function app.order_security_events() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(720102);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger security_events_order before insert on app.security_events
    for each statement execute function app.order_security_events()`.execute(db)
  // New passwords and roles end sessions (migration 0150) and are recorded, whatever writes them.
  await sql`
    create or replace function identity.end_sessions() returns trigger language plpgsql as $$
    begin
      new.token_version := old.token_version + 1;
      update identity.session_families set revoked_at = now() where person_id = old.id and revoked_at is null;
      insert into app.security_events (at, type, whitelabel_id, person_id, details, count)
      select now(), type, old.whitelabel_id, old.id, details, 1
      from (values ('password-changed', '{}'::json, new.password_hash is distinct from old.password_hash),
                   ('roles-changed', json_build_object('from', old.roles, 'to', new.roles), new.roles is distinct from old.roles)
           ) as change (type, details, happened)
      where happened;
      return new;
    end $$`.execute(db)
}
