import { sql, type Kysely } from 'kysely'

/** Lists of placements of a space or a campaign, as uploaded. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.whitelists (
      owner_kind text not null check (owner_kind in ('space', 'campaign')),
      owner_id   text collate "C" not null,
      name       text collate "C" not null,
      content    bytea not null,
      sha256     text not null,
      created_by text not null,
      created_at timestamptz not null default now(),
      primary key (owner_kind, owner_id, name)
    )`.execute(db)
}
