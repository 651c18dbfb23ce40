import { sql, type Kysely } from 'kysely'

/** What people do to money by hand: sums by person and day, and what waits for a second person. Primary data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.money_by_hand (
      id text collate "C" primary key,
      whitelabel_id text collate "C" not null,
      space_id text collate "C",
      kind text not null,
      user_id text collate "C" not null,
      -- The day of the white-label, YYYY-MM-DD.
      day text collate "C" not null,
      -- Micros without a sign: what counts against the limit.
      counted bigint not null,
      -- alone: done by one person; pending: waits; approved: being carried out; done, failed, rejected: decided.
      state text not null,
      command jsonb,
      decided_by text collate "C",
      created_at timestamptz not null default now(),
      decided_at timestamptz
    )`.execute(db)
  await sql`create index on app.money_by_hand (whitelabel_id, user_id, day) where state = 'alone'`.execute(db)
  await sql`create index on app.money_by_hand (created_at) where state = 'alone'`.execute(db)
  await sql`create index on app.money_by_hand (whitelabel_id, created_at) where state in ('pending', 'approved')`.execute(db)
}
