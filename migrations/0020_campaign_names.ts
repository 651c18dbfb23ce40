import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create schema if not exists app`.execute(db)
  await sql`
    create table app.campaign_names (
      space_id text collate "C" not null,
      name_key text not null,
      campaign_id text collate "C" not null,
      reserved_at timestamptz not null default now(),
      primary key (space_id, name_key)
    )`.execute(db)
}
