import { sql, type Kysely } from 'kysely'

/** Roles of staff wait for a second person too (fine print 87), and what waits ends. What was decided is listed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.money_by_hand rename to second_person`.execute(db)
  await sql`create index on app.second_person (whitelabel_id, decided_at desc) where state in ('done', 'failed', 'rejected', 'expired')`.execute(
    db,
  )
}
