import { sql, type Kysely } from 'kysely'

/** The sample of approvals that second moderators check, with their outcomes, and how far it was drawn (fine print 104). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.second_looks (
      campaign_id text collate "C" not null,
      -- The revision of the approval.
      approval integer not null,
      whitelabel_id text collate "C" not null,
      approver_id text collate "C" not null,
      approved_at timestamptz not null,
      state text not null check (state in ('open', 'agreed', 'disagreed', 'noted', 'expired')),
      -- The second moderator, once the outcome is known.
      person_id text collate "C",
      decided_at timestamptz,
      primary key (campaign_id, approval)
    )`.execute(db)
  await sql`create index on app.second_looks (whitelabel_id, approved_at) where state = 'open'`.execute(db)
  await sql`create index on app.second_looks (whitelabel_id, decided_at) where decided_at is not null`.execute(db)
  await sql`create index on app.second_looks (approved_at)`.execute(db)
  await sql`create index on app.second_looks (person_id) where person_id is not null`.execute(db)
  await sql`
    create table app.second_look_progress (
      id boolean primary key default true check (id),
      position bigint not null
    )`.execute(db)
  await sql`insert into app.second_look_progress (position) values (0)`.execute(db)
}
