/**
 * Members of audiences, as keyed hashes, and what an upload leaves behind. Primary data: the log holds names, versions and
 * counts alone.
 */
export const audiences = `
  -- Saves under way that name an audience: it is not deleted before they are done.
  create table app.audience_claims (
    audience_id text collate "C" not null,
    claim_id text collate "C" not null,
    claimed_at timestamptz default now() not null,
    primary key (audience_id, claim_id)
  );
  create index audience_claims_claim_id_idx on app.audience_claims (claim_id);

  -- The key of each white-label's hashes. Bidders of the white-label get it; it is in no answer to a user.
  create table app.audience_keys (
    whitelabel_id text collate "C" primary key,
    key bytea not null,
    created_at timestamptz default now() not null
  );

  create table app.audience_names (
    space_id text collate "C" not null,
    name_key text not null,
    audience_id text collate "C" not null,
    reserved_at timestamptz default now() not null,
    -- Since when a deletion checks that no campaign uses it: no new one may.
    leaving_at timestamptz,
    primary key (space_id, name_key)
  );
  create index audience_names_audience_id_idx on app.audience_names (audience_id);

  create table app.audience_resource_requests (
    id text collate "C" primary key,
    space_id text collate "C" not null,
    resource_id text collate "C" not null,
    name text not null,
    requested_by text collate "C" not null,
    requested_at timestamptz not null
  );

  create table app.audience_sets (
    audience_id text collate "C" not null,
    version integer not null,
    space_id text collate "C" not null,
    whitelabel_id text collate "C" not null,
    -- Null for the members of a file.
    rules json,
    members integer not null,
    -- Identifies the members.
    etag text collate "C" not null,
    changed_at timestamptz default now() not null,
    computed_at timestamptz default now() not null,
    -- Events that were received until then count, of rules.
    seen_until timestamptz default now() not null,
    primary key (audience_id, version)
  );
  create index audience_sets_space_id_idx on app.audience_sets (space_id);

  -- Sorted hashes of 16 bytes whose first byte is the bucket. Hashes do not compress.
  create table app.audience_members (
    audience_id text collate "C" not null,
    version integer not null,
    bucket smallint not null,
    members bytea not null,
    primary key (audience_id, version, bucket),
    foreign key (audience_id, version) references app.audience_sets(audience_id, version) on delete cascade
  );
  alter table app.audience_members alter column members set storage external;
  create index audience_members_bucket_idx on app.audience_members (bucket);

  create table app.audience_sizes (
    audience_id text collate "C" not null,
    at timestamptz not null,
    version integer not null,
    members integer not null,
    primary key (audience_id, at)
  );

  -- One row for each file. receiving: its rows arrive; received: all are here, and are merged; stored: its version has its members;
  -- recorded: and the log says so.
  create table app.audience_uploads (
    id text collate "C" primary key,
    audience_id text collate "C" not null,
    -- Null until the version has its number.
    version integer,
    space_id text collate "C" not null,
    whitelabel_id text collate "C" not null,
    state text not null check (state in ('receiving', 'received', 'stored', 'recorded', 'failed')),
    -- Context with which a policy records the outcome after the process that received the file has died.
    context json,
    name text,
    rows integer default 0 not null,
    rejected integer default 0 not null,
    reasons json default '{}'::json not null,
    merged integer default 0 not null,
    received_at timestamptz not null,
    alive_at timestamptz default now() not null
  );
  create index audience_uploads_alive_at_idx on app.audience_uploads (alive_at) where state = 'receiving';
  create index audience_uploads_audience_id_version_idx on app.audience_uploads (audience_id, version);
  create index audience_uploads_audience_id_version_idx1 on app.audience_uploads (audience_id, version) where state = 'failed';

  create table app.audience_parts (
    upload_id text collate "C" not null references app.audience_uploads(id) on delete cascade,
    part integer not null,
    bucket smallint not null,
    members bytea not null,
    primary key (upload_id, bucket, part)
  );
  alter table app.audience_parts alter column members set storage external;

  -- Rows by number and reason, without their text: it may be personal.
  create table app.audience_rejected_rows (
    upload_id text collate "C" not null references app.audience_uploads(id) on delete cascade,
    part integer not null,
    rows json not null,
    primary key (upload_id, part)
  );
`
