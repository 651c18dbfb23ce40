import { sql, type Kysely } from 'kysely'

/** The number of erasures: an answer computed during an erasure may contain the name, and is not stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.erasures (count bigint not null)`.execute(db)
  await sql`insert into app.erasures (count) values (0)`.execute(db)
}
