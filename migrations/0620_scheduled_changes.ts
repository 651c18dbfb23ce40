import { sql, type Kysely } from 'kysely'

/** Changes of campaigns that wait for their time, and those that ended lately (fine print 100). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.scheduled_changes (
      id text collate "C" primary key,
      person_id text collate "C" not null references identity.people (id) on delete cascade,
      space_id text collate "C" not null,
      whitelabel_id text collate "C" not null,
      campaign_id text collate "C" not null,
      -- Of several campaigns, or of a change and its way back.
      group_id text collate "C",
      act jsonb not null,
      due_at timestamptz not null,
      note text not null,
      state text not null,
      version integer not null,
      created_at timestamptz not null,
      ended_at timestamptz,
      -- Of the campaign, once it was carried out.
      revision integer,
      -- Why it was refused.
      rejection jsonb
    )`.execute(db)
  await sql`create index on app.scheduled_changes (due_at) where state in ('waiting', 'under_way')`.execute(db)
  await sql`create index on app.scheduled_changes (campaign_id, due_at)`.execute(db)
  await sql`create index on app.scheduled_changes (space_id, due_at)`.execute(db)
  await sql`create index on app.scheduled_changes (person_id)`.execute(db)
  await sql`create index on app.scheduled_changes (ended_at) where ended_at is not null`.execute(db)
}
