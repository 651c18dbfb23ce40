import { sql, type Kysely } from 'kysely'

/** The newest generation that a read model ever had: its number is not given again, though it may have been removed. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table es.generations (name text primary key, newest integer not null)`.execute(db)
}
