import { sql, type Kysely } from 'kysely'

/** The disk usage and blobs of each file, and whether a save ever referred to it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A row is inserted before its bytes are written; `stored` is set afterwards. Claimed: a save named it, so the log refers to it forever.
  await sql`
    alter table app.files
      add column disk_bytes bigint not null default 0,
      add column disk_files integer not null default 1,
      add column stored boolean not null default true,
      add column claimed_at timestamptz`.execute(db)
  await sql`
    update app.files set claimed_at = created_at,
      disk_files = 1 + coalesce((select count(*) from json_each(entries)), 0),
      disk_bytes = bytes + coalesce((select sum((value->>'bytes')::bigint) from json_each(entries)), 0)`.execute(db)
  await sql`create index files_unclaimed on app.files (created_at) where claimed_at is null or not stored`.execute(db)
  await sql`create index files_sha256 on app.files (sha256)`.execute(db)
  await sql`
    create table app.file_blobs (
      file_id text collate "C" not null references app.files (id) on delete cascade,
      sha256  text collate "C" not null,
      primary key (file_id, sha256)
    )`.execute(db)
  await sql`create index on app.file_blobs (sha256)`.execute(db)
  await sql`
    insert into app.file_blobs (file_id, sha256)
    select id, sha256 from app.files
    union select id, value->>'sha256' from app.files, json_each(entries) where entries is not null`.execute(db)
  // Blobs without a file, until they are removed from the store.
  await sql`create table app.blob_garbage (sha256 text collate "C" primary key)`.execute(db)
  // A process of the previous version does not claim files that it saves: files of its last day are kept.
  await sql`create table app.file_purge (since timestamptz not null)`.execute(db)
  await sql`insert into app.file_purge (since) values (now() + interval '1 day')`.execute(db)
  await sql`alter table app.whitelists add column space_id text collate "C"`.execute(db)
  await sql`update app.whitelists set space_id = owner_id where owner_kind = 'space'`.execute(db)
  await sql`create index on app.whitelists (space_id)`.execute(db)
}
