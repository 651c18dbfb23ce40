import { sql, type Kysely } from 'kysely'

/** Frames per second of videos that are uploaded from now on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.files add column frame_rate double precision`.execute(db)
}
