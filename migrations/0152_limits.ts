import { sql, type Kysely } from 'kysely'

/** Reservations of limited work, one row each, and the networks from which users have signed in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Unlogged: reservations expire within minutes. They survive restarts of the product; a crash of PostgreSQL empties the table.
  await sql`
    create unlogged table app.reservations (
      id text collate "C" not null,
      key text collate "C" not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index on app.reservations (key, expires_at)`.execute(db)
  await sql`create index on app.reservations (id)`.execute(db)
  await sql`create index on app.reservations (expires_at)`.execute(db)
  // Reserves one unit of every key, or none. Returns 0, or the seconds after which a full key has a free unit again.
  // 1. pg_advisory_xact_lock: serialises processes that reserve the last unit ("checks at most as many passwords as the limit ...").
  //    Keys are sorted, which prevents deadlocks. Each statement below reads what the previous holder committed.
  await sql`
    create function app.reserve(p_id text, p_keys text[], p_limits int[], p_seconds int[]) returns double precision
    language plpgsql as $$
    declare
      wait double precision := 0;
      used int;
      room_at timestamptz;
    begin
      for i in 1 .. cardinality(p_keys) loop
        perform pg_advisory_xact_lock(hashtextextended(p_keys[i], 7201));
        delete from app.reservations where key = p_keys[i] and expires_at <= clock_timestamp();
        select count(*), min(expires_at) into used, room_at from app.reservations where key = p_keys[i];
        if used >= p_limits[i] then
          wait := greatest(wait, extract(epoch from room_at - clock_timestamp()), 1);
        end if;
      end loop;
      if wait = 0 then
        insert into app.reservations (id, key, expires_at)
        select p_id, k, clock_timestamp() + make_interval(secs => s) from unnest(p_keys, p_seconds) as one (k, s);
      end if;
      return wait;
    end $$`.execute(db)
  await sql`
    create table identity.known_networks (
      person_id text collate "C" not null references identity.people (id) on delete cascade,
      network text collate "C" not null,
      last_at timestamptz not null,
      primary key (person_id, network)
    )`.execute(db)
}
