/** The log, what is derived from it by its subscriptions, and its transparency. */
export const eventStore = `
  create function es.refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'es.events is append-only: % refused', tg_op using errcode = 'ES002';
    end
  $$;

  create function es.raise_torn(p_stream text) returns integer language plpgsql as $$
    begin
      raise exception 'torn append on stream %', p_stream using errcode = 'ES001';
    end
  $$;

  create function es.append(
    p_streams text[], p_expected integer[], p_n integer[], p_idx integer[], p_k integer[],
    p_ids uuid[], p_types text[], p_schemas smallint[], p_data json, p_meta json
  ) returns table (o_idx integer, o_version integer, o_position bigint) language plpgsql as $$
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
    end
  $$;

  create table app.answers (
    user_id text collate "C" not null,
    route text collate "C" not null,
    key text collate "C" not null,
    body_hash text not null,
    answer json not null,
    created_at timestamptz default now() not null,
    primary key (user_id, route, key)
  );
  create index answers_created_at_idx on app.answers (created_at);

  -- Webhooks that deliver the audit feed of a white-label, and how far each has come.
  -- No secret is stored: it is derived from the id and the generation, which a rotation raises. position: everything up to here is
  -- delivered, or does not pass the filter. pending: last position of the message that is being sent, whose repeats have the same
  -- id. epoch: raised by whatever makes a message under way another one.
  create table app.audit_webhooks (
    id text collate "C" primary key,
    whitelabel_id text collate "C" not null,
    url text not null,
    description text not null,
    filter jsonb not null,
    enabled boolean default true not null,
    generation integer default 1 not null,
    -- Until then messages are signed by the secret before too.
    previous_until timestamptz,
    position bigint not null,
    pending bigint,
    epoch integer default 0 not null,
    delivered_at timestamptz,
    failing_since timestamptz,
    error text,
    parked_at timestamptz,
    created_by text collate "C" not null,
    created_at timestamptz default now() not null
  );
  create index audit_webhooks_whitelabel_id_created_at_idx on app.audit_webhooks (whitelabel_id, created_at);

  -- The number of erasures: an answer computed during an erasure may contain the name, and is not stored.
  create table app.erasures (
    count bigint not null
  );

  -- signed_at: when this head was signed first. current_at: when it was last found to be the newest.
  create table app.log_heads (
    size bigint primary key,
    root bytea not null,
    note text not null,
    signed_at timestamptz default now() not null,
    current_at timestamptz default now() not null
  );

  create table app.log_cosignatures (
    size bigint not null references app.log_heads(size),
    witness text collate "C" not null,
    line text not null,
    received_at timestamptz default now() not null,
    primary key (size, witness)
  );

  -- secret: null for keys from the environment. signs_until: null until the key is replaced.
  create table app.log_keys (
    verifier_key text collate "C" primary key,
    secret bytea,
    created_at timestamptz default now() not null,
    signs_until timestamptz
  );

  create table app.log_leaves (
    event_id uuid primary key,
    index bigint not null
  );

  -- Hashes do not compress.
  create table app.log_tiles (
    level smallint not null,
    index bigint not null,
    hashes bytea not null check (length(hashes) between 32 and 8192 and length(hashes) % 32 = 0),
    primary key (level, index)
  );
  alter table app.log_tiles alter column hashes set storage external;

  -- position: of the last event in the tree. checked_size, checked_position: how far the present comparison with the log has come.
  create table app.log_tree (
    one boolean default true primary key check (one),
    origin text collate "C" not null,
    size bigint default 0 not null,
    position bigint default 0 not null,
    checked_size bigint default 0 not null,
    checked_position bigint default 0 not null,
    checked_at timestamptz,
    fault text,
    fault_at timestamptz
  );

  create table app.log_witnesses (
    name text collate "C" primary key,
    size bigint default 0 not null,
    cosigned_at timestamptz,
    failing_since timestamptz,
    error text
  );

  create table es.dead_letters (
    name text collate "C" not null,
    generation integer not null,
    position bigint not null,
    stream_id text collate "C" not null,
    attempts integer not null,
    error json not null,
    first_failed_at timestamptz default now() not null,
    resolved_at timestamptz,
    primary key (name, generation, position)
  );
  create index dead_letters_parked on es.dead_letters (name, generation, stream_id) where resolved_at is null;

  -- data and metadata are json, not jsonb: the bytes are kept as written, and the hash chain runs over them. cache 1: the reader's
  -- proof needs positions handed out in order ("waits for the event of an open transaction"). (stream_id, version) is the only
  -- concurrency guard; the length of a stream is stored nowhere else.
  create table es.events (
    position bigint generated always as identity (cache 1) primary key,
    stream_id text collate "C" not null,
    version integer not null check (version > 0),
    event_id uuid not null,
    type text collate "C" not null,
    schema_version smallint not null,
    data json not null,
    metadata json not null,
    recorded_at timestamptz default clock_timestamp() not null,
    constraint events_stream_version unique (stream_id, version)
  );
  create trigger events_append_only before delete or update or truncate on es.events
    for each statement
    execute function es.refuse_change();

  -- The newest generation of each read model: its number is never reused, even after the generation was dropped.
  create table es.generations (
    name text primary key,
    newest integer not null
  );

  -- Shards of a generation by stream, each with its own checkpoint, and leases that assign them to processes.
  -- owner: the session that holds the lease. A lease ends with its session or without a renewal in time.
  create table es.leases (
    name text collate "C" primary key,
    owner text collate "C" not null,
    until timestamptz not null
  ) with (fillfactor = 50);

  -- The event store in which the checkpoints of this database are positions: positions of one log are meaningless in another. A log
  -- that began in this database stays here; otherwise the first start decides.
  create table es.log_kind (
    kind text not null check (kind in ('postgresql', 'kurrentdb')),
    only_one boolean default true primary key check (only_one)
  );

  create table es.snapshots (
    stream_id text collate "C" primary key,
    shape text not null,
    version integer not null,
    snapshot jsonb not null
  );

  -- version: version of the table layout. tables: their names, needed to drop them when the code no longer knows them. error: why
  -- this generation is paused; null while it runs. Separate from status, which a pause does not change.
  -- Checkpoints are updated constantly: free space in the page allows HOT updates.
  create table es.subscriptions (
    name text collate "C" not null,
    generation integer not null,
    version integer not null,
    position bigint default 0 not null,
    status text not null check (status in ('building', 'live', 'retired')),
    owner text,
    error json,
    tables text[] not null,
    updated_at timestamptz default now() not null,
    -- parked: the number of parked streams. In this row, so that moving the checkpoint reads it under the same lock.
    shard smallint default 0 not null,
    shards smallint default 1 not null,
    parked integer default 0 not null,
    primary key (name, generation, shard)
  ) with (fillfactor = 50);
  create unique index subscriptions_one_live on es.subscriptions (name, shard) where status = 'live';

  -- The triggers refuse every change of the log. This also takes the right, even from its owner: changing history requires undoing
  -- both, and only superusers pass the second.
  revoke update, delete, truncate on es.events from public, current_user;

  insert into app.erasures (count) values (0);
`
