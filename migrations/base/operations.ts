/** Mails, notifications, jobs, limits and keys, and what operators read. */
export const operations = `
  create function app.reserve(
    p_id text, p_keys text[], p_limits integer[], p_seconds integer[]
  ) returns double precision language plpgsql as $$
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
    end
  $$;

  create function app.refuse_security_change() returns trigger language plpgsql as $$
    begin
      raise exception 'app.security_events is append-only: % refused', tg_op using errcode = 'ES002';
    end
  $$;

  create function app.order_security_events() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(720102);
      return null;
    end
  $$;

  -- Durable jobs: mails, payments, webhooks, registrations, uploads. Tables of their subjects keep what is data.
  create table app.jobs (
    kind text collate "C" not null,
    -- The row of the subject.
    key text collate "C" not null,
    -- No personal data.
    payload jsonb not null,
    created_at timestamptz default now() not null,
    run_at timestamptz default now() not null,
    tries integer default 0 not null,
    -- The worker that has the job, and until when: then another one may take it.
    leased_by text,
    leased_until timestamptz,
    -- Why the last try failed.
    error text,
    -- Given up: an operator may retry it.
    dead_at timestamptz,
    primary key (kind, key)
  );
  create index jobs_dead_at_idx on app.jobs (dead_at) where dead_at is not null;
  create index jobs_kind_run_at_idx on app.jobs (kind, run_at) where dead_at is null;

  create table app.mail_cursor (
    name text primary key,
    position bigint not null
  );

  -- Mails name their recipient by id. An address stands here only without a person record.
  create table app.mails (
    id text collate "C" primary key,
    whitelabel_id text collate "C" not null,
    person_id text collate "C",
    address text,
    template text not null,
    data jsonb not null,
    created_at timestamptz default now() not null,
    sent_at timestamptz,
    uncertain boolean default false not null,
    check ((person_id is not null) or (address is not null))
  );
  create index mails_person_id_idx on app.mails (person_id);

  create table app.notification_choices (
    person_id text collate "C" not null,
    kind text collate "C" not null,
    in_app boolean not null,
    mail text not null check (mail in ('now', 'daily', 'never')),
    primary key (person_id, kind)
  );

  create table app.notifications (
    id bigint generated always as identity primary key,
    person_id text collate "C" not null,
    whitelabel_id text collate "C" not null,
    space_id text collate "C" not null,
    kind text collate "C" not null,
    -- Cause of the notification: a person is notified of one cause once.
    cause text collate "C" not null,
    data jsonb not null,
    -- When it happened.
    at timestamptz not null,
    created_at timestamptz not null,
    read_at timestamptz,
    -- Whether the application shows it; else it is mailed alone.
    in_app boolean not null,
    -- When it was queued as a mail of its own.
    mailed_at timestamptz,
    -- When the digest that will contain it is due.
    digest_at timestamptz,
    -- Time of the database's clock: open pages are notified of rows that changed lately.
    changed_at timestamptz default clock_timestamp() not null,
    unique (person_id, cause)
  );
  create index notifications_changed_at_idx on app.notifications (changed_at);
  create index notifications_created_at_idx on app.notifications (created_at);
  create index notifications_digest_at_idx on app.notifications (digest_at) where digest_at is not null;
  create index notifications_person_id_id_idx on app.notifications (person_id, id desc);
  create index notifications_person_id_idx on app.notifications (person_id) where in_app and (read_at is null);

  create table app.processes (
    id text collate "C" primary key,
    host text not null,
    pid integer not null,
    role text not null,
    version text not null,
    started_at timestamptz default now() not null,
    seen_at timestamptz default now() not null,
    away jsonb not null
  );

  -- Unlogged: reservations expire within minutes. They survive restarts of the product; a crash of PostgreSQL empties the table.
  create unlogged table app.reservations (
    id text collate "C" not null,
    key text collate "C" not null,
    expires_at timestamptz not null
  );
  create index reservations_expires_at_idx on app.reservations (expires_at);
  create index reservations_id_idx on app.reservations (id);
  create index reservations_key_expires_at_idx on app.reservations (key, expires_at);

  create table app.secrets (
    name text primary key,
    value text not null,
    created_at timestamptz default now() not null
  );

  -- Security events: append-only, in commit order. Users appear by id only; networks are encrypted or hashed.
  create table app.security_events (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    type text not null,
    whitelabel_id text collate "C",
    person_id text collate "C",
    client_network text,
    details json not null,
    count integer not null check (count > 0)
  );
  create index security_events_person_id_id_idx on app.security_events (person_id, id) where person_id is not null;
  create trigger security_events_append_only before update or truncate on app.security_events
    for each statement
    execute function app.refuse_security_change();
  create trigger security_events_order before insert on app.security_events
    for each statement
    execute function app.order_security_events();
  create trigger security_events_removed_old before delete on app.security_events
    for each row when (old.at > (now() - '90 days'::interval))
    execute function app.refuse_security_change();

  -- How far security events were sent to a receiver outside (fine print 82).
  create table app.security_forwarding (
    destination text collate "C" primary key,
    position bigint not null
  );

  create table app.server_errors (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    host text not null,
    pid integer not null,
    request_id text collate "C",
    route text,
    status integer,
    message text not null
  );
  create index server_errors_by_request on app.server_errors (request_id) where request_id is not null;

  -- Keys of access tokens. A key signs from signs_from until a later one does, and verifies until verifies_until.
  create table app.signing_keys (
    kid text collate "C" primary key,
    key text not null,
    signs_from timestamptz not null,
    verifies_until timestamptz
  );

  revoke update, truncate on app.security_events from public, current_user;
`
