import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create schema es`.execute(db)
  await createEvents(db)
  await createAppend(db)
  await createSubscriptions(db)
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  // data and metadata are json, not jsonb: the bytes are kept as written, and the hash chain runs over them.
  // cache 1: the reader's proof needs positions handed out in order ("waits for the event of an open transaction").
  // (stream_id, version) is the only concurrency guard; the length of a stream is stored nowhere else.
  await sql`
    create table es.events (
      position       bigint generated always as identity (cache 1) primary key,
      stream_id      text collate "C" not null,
      version        integer not null check (version > 0),
      event_id       uuid not null,
      type           text collate "C" not null,
      schema_version smallint not null,
      data           json not null,
      metadata       json not null,
      recorded_at    timestamptz not null default clock_timestamp(),
      constraint events_stream_version unique (stream_id, version)
    )`.execute(db)
  await sql`create index events_recorded_at on es.events using brin (recorded_at)`.execute(db)
  await sql`
    create function es.refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'es.events is append-only: % refused', tg_op using errcode = 'ES002';
    end $$`.execute(db)
  await sql`
    create trigger events_append_only before update or delete or truncate on es.events
    for each statement execute function es.refuse_change()`.execute(db)
}

/**
 * es.append stores many appends in one statement and answers one row per append that went in; an append without a row met
 * another version than it expected. Arrays by append: streams, expected, n (events). Arrays by event: idx (which append,
 * 1-based), k (1-based within it), ids, types, schemas, and data and meta as JSON arrays, whose elements keep their bytes.
 * Raises ES001 when only part of an append could go in; nothing of the batch is stored then.
 */
async function createAppend(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function es.raise_torn(p_stream text) returns int language plpgsql as $$
    begin
      raise exception 'torn append on stream %', p_stream using errcode = 'ES001';
    end $$`.execute(db)
  // With exists() instead of the scalar subquery, PostgreSQL plans a scan of the whole log while the table is small, and keeps
  // the plan ("checks the expected version by index").
  // order by: positions follow versions, and all writers lock streams in one order ("batches of two processes never deadlock").
  // on conflict: a lost race affects only its own append ("conflicts in a batch leave the others in").
  // raise_torn: one of two events may conflict and the other not ("a torn append stores nothing").
  await sql`
    create function es.append(
      p_streams text[], p_expected int[], p_n int[],
      p_idx int[], p_k int[], p_ids uuid[], p_types text[], p_schemas smallint[], p_data json, p_meta json
    ) returns table (o_idx int, o_version int, o_position bigint) language plpgsql as $$
    begin
      return query
      with ins as (
        insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
        select p_streams[e.idx], p_expected[e.idx] + e.k, e.id, e.type, e.schema_version, e.data, e.meta
        from rows from (
          unnest(p_idx), unnest(p_k), unnest(p_ids), unnest(p_types), unnest(p_schemas),
          json_array_elements(p_data), json_array_elements(p_meta)
        ) with ordinality e(idx, k, id, type, schema_version, data, meta, o)
        where p_expected[e.idx] = 0
           or (select x.version from es.events x
               where x.stream_id = p_streams[e.idx] and x.version = p_expected[e.idx]) is not null
        order by e.o
        on conflict (stream_id, version) do nothing
        returning stream_id, version, position
      ), got as (
        select stream_id, count(*) as c, max(version) as v, max(position) as p from ins group by stream_id
      )
      select case when g.c = a.n then a.idx::int else es.raise_torn(a.stream_id) end, g.v, g.p
      from got g join unnest(p_streams, p_n) with ordinality a(stream_id, n, idx) using (stream_id);
    end $$`.execute(db)
}

async function createSubscriptions(db: Kysely<unknown>): Promise<void> {
  // version: version of the table layout. tables: their names, needed to drop them when the code no longer knows them.
  // error: why this generation is paused; null while it runs. Separate from status, which a pause does not change.
  await sql`
    create table es.subscriptions (
      name       text collate "C" not null,
      generation integer not null,
      version    integer not null,
      position   bigint not null default 0,
      status     text not null check (status in ('building', 'live', 'retired')),
      owner      text,
      error      json,
      tables     text[] not null,
      updated_at timestamptz not null default now(),
      primary key (name, generation)
    )`.execute(db)
  await sql`create unique index subscriptions_one_live on es.subscriptions (name) where status = 'live'`.execute(db)
  await sql`
    create table es.dead_letters (
      name            text collate "C" not null,
      generation      integer not null,
      position        bigint not null,
      stream_id       text collate "C" not null,
      attempts        integer not null,
      error           json not null,
      first_failed_at timestamptz not null default now(),
      resolved_at     timestamptz,
      primary key (name, generation, position)
    )`.execute(db)
  await sql`
    create index dead_letters_parked on es.dead_letters (name, generation, stream_id) where resolved_at is null`.execute(db)
}
