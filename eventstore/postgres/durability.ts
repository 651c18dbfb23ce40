import type { Pool } from 'pg'

const SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

/** Settings of the server, as this pool's sessions see them, with which what was acknowledged can be lost; empty when it is durable. */
export async function unsafeSettings(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "select name from pg_settings where name = any($1) and setting = 'off' order by name",
    [[...SETTINGS]],
  )
  return rows.map(({ name }) => name)
}
