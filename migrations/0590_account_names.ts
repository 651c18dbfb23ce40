import { sql, type Kysely } from 'kysely'

/** Names that accounts are about to take: the read model shows them a moment later (fine print 96). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.account_names (
      whitelabel_id text collate "C" not null,
      name_key text not null,
      space_id text collate "C" not null,
      reserved_at timestamptz not null default now(),
      primary key (whitelabel_id, name_key)
    )`.execute(db)
}
