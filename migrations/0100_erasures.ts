import { sql, type Kysely } from 'kysely'

/** How often somebody was erased: an answer that was under way meanwhile may hold the name, and is not stored. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table app.erasures (count bigint not null)`.execute(db)
  await sql`insert into app.erasures (count) values (0)`.execute(db)
}
