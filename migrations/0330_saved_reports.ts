import { sql, type Kysely } from 'kysely'

/** Reports that users saved, with the schedule of their mails, and the files of mails that wait. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.saved_reports (
      id text collate "C" primary key,
      person_id text collate "C" not null references identity.people (id) on delete cascade,
      space_id text collate "C" not null,
      whitelabel_id text collate "C" not null,
      name text not null,
      report json not null,
      schedule text not null,
      -- Of a week from Monday, or of a month.
      schedule_day smallint,
      format text not null,
      -- When its next mail is due; null without a schedule.
      next_at timestamptz,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index on app.saved_reports (person_id, space_id)`.execute(db)
  await sql`create index on app.saved_reports (space_id)`.execute(db)
  await sql`create index on app.saved_reports (next_at) where next_at is not null`.execute(db)
  await sql`
    create table app.report_files (
      mail_id text collate "C" primary key,
      filename text not null,
      content_type text not null,
      content bytea not null,
      made_at timestamptz not null default now()
    )`.execute(db)
}
