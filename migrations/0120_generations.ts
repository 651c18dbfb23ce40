import { sql, type Kysely } from 'kysely'

/** The newest generation of each read model: its number is never reused, even after the generation was dropped. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table es.generations (name text primary key, newest integer not null)`.execute(db)
}
