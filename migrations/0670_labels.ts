import { sql, type Kysely } from 'kysely'

/** Labels of accounts, and the campaigns that have them (fine print 107). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.labels (
      id text collate "C" primary key,
      space_id text collate "C" not null,
      name text not null,
      name_key text collate "C" not null,
      color text not null check (color in ('gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink')),
      -- Who created it; null after an erasure.
      person_id text collate "C" references identity.people (id) on delete set null,
      created_at timestamptz not null,
      unique (space_id, name_key)
    )`.execute(db)
  await sql`create index on app.labels (person_id)`.execute(db)
  await sql`
    create table app.campaign_labels (
      campaign_id text collate "C" not null,
      label_id text collate "C" not null references app.labels (id) on delete cascade,
      -- Who labelled the campaign; null after an erasure.
      person_id text collate "C" references identity.people (id) on delete set null,
      labelled_at timestamptz not null,
      primary key (campaign_id, label_id)
    )`.execute(db)
  await sql`create index on app.campaign_labels (label_id, campaign_id)`.execute(db)
  await sql`create index on app.campaign_labels (person_id)`.execute(db)
}
