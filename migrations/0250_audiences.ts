import { sql, type Kysely } from 'kysely'

/**
 * Members of audiences, as keyed hashes, and what an upload leaves behind. Primary data: the log holds names, versions and counts
 * alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The key of each white-label's hashes. Bidders of the white-label get it; it is in no answer to a user.
  await sql`
    create table app.audience_keys (
      whitelabel_id text collate "C" primary key,
      key bytea not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table app.audience_names (
      space_id text collate "C" not null,
      name_key text not null,
      audience_id text collate "C" not null,
      reserved_at timestamptz not null default now(),
      -- Since when a deletion checks that no campaign uses it: no new one may.
      leaving_at timestamptz,
      primary key (space_id, name_key)
    )`.execute(db)
  await sql`create index on app.audience_names (audience_id)`.execute(db)
  // One row for each file. receiving: its rows arrive; received: all are here, and are merged; stored: its version has its members;
  // recorded: and the log says so.
  await sql`
    create table app.audience_uploads (
      id text collate "C" primary key,
      audience_id text collate "C" not null,
      -- Null until the version has its number.
      version integer,
      space_id text collate "C" not null,
      whitelabel_id text collate "C" not null,
      state text not null check (state in ('receiving', 'received', 'stored', 'recorded', 'failed')),
      -- What a policy needs to record the outcome after the process that received the file has died.
      context json,
      name text,
      rows integer not null default 0,
      rejected integer not null default 0,
      reasons json not null default '{}',
      merged integer not null default 0,
      received_at timestamptz not null,
      alive_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index on app.audience_uploads (audience_id, version)`.execute(db)
  await sql`create index on app.audience_uploads (alive_at) where state in ('receiving', 'received', 'stored')`.execute(db)
  await sql`
    create table app.audience_parts (
      upload_id text collate "C" not null references app.audience_uploads (id) on delete cascade,
      part integer not null,
      bucket smallint not null,
      members bytea not null,
      primary key (upload_id, bucket, part)
    )`.execute(db)
  // Rows by number and reason, without their text: it may be personal.
  await sql`
    create table app.audience_rejected_rows (
      upload_id text collate "C" not null references app.audience_uploads (id) on delete cascade,
      part integer not null,
      rows json not null,
      primary key (upload_id, part)
    )`.execute(db)
  await sql`
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
      changed_at timestamptz not null default now(),
      computed_at timestamptz not null default now(),
      -- Events that were received until then count, of rules.
      seen_until timestamptz not null default now(),
      primary key (audience_id, version)
    )`.execute(db)
  await sql`create index on app.audience_sets (space_id)`.execute(db)
  // Sorted hashes of 16 bytes whose first byte is the bucket. Hashes do not compress.
  await sql`
    create table app.audience_members (
      audience_id text collate "C" not null,
      version integer not null,
      bucket smallint not null,
      members bytea not null,
      primary key (audience_id, version, bucket),
      foreign key (audience_id, version) references app.audience_sets on delete cascade
    )`.execute(db)
  await sql`alter table app.audience_members alter column members set storage external`.execute(db)
  await sql`alter table app.audience_parts alter column members set storage external`.execute(db)
  // An erasure looks for one hash in every audience.
  await sql`create index on app.audience_members (bucket)`.execute(db)
  await sql`
    create table app.audience_sizes (
      audience_id text collate "C" not null,
      at timestamptz not null,
      version integer not null,
      members integer not null,
      primary key (audience_id, at)
    )`.execute(db)
  await sql`
    create table app.audience_resource_requests (
      id text collate "C" primary key,
      space_id text collate "C" not null,
      resource_id text collate "C" not null,
      name text not null,
      requested_by text collate "C" not null,
      requested_at timestamptz not null
    )`.execute(db)
  // Visitors of an account, and whether events came since its audiences were computed.
  await sql`create index on app.tracked_events (space_id, visitor) where visitor <> id`.execute(db)
  await sql`create index on app.tracked_events (space_id, received_at)`.execute(db)
}
