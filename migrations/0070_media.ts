import { sql, type Kysely } from 'kysely'

/** Audio, video and HTML banners, and requests of advertisers for missing apps. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // seconds: length of audio and video. entries: path → {sha256, bytes, content_type} of an unpacked HTML banner.
  await sql`alter table app.files add column seconds double precision, add column entries json`.execute(db)
  await sql`
    create table app.resource_requests (
      id           text collate "C" primary key,
      campaign_id  text collate "C" not null,
      space_id     text collate "C" not null,
      name         text not null,
      requested_by text collate "C" not null,
      requested_at timestamptz not null
    )`.execute(db)
}
