import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/**
 * A secret by name, created once and shared by every process on the database (fine print 21): concurrent creators read the
 * first one's value.
 */
export async function sharedSecret(db: Kysely<Db>, name: string, given: string | null = null): Promise<string> {
  if (given !== null) return given
  const made = randomBytes(32).toString('base64url')
  await sql`insert into app.secrets (name, value) values (${name}, ${made}) on conflict (name) do nothing`.execute(db)
  const { rows } = await sql<{ value: string }>`select value from app.secrets where name = ${name}`.execute(db)
  const value = rows[0]?.value
  if (value === undefined) throw new Error(`secret ${name} could not be created`)
  return value
}
