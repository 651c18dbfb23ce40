import type { Pool } from 'pg'

const SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

/** Server settings, as seen by this pool's sessions, that can lose acknowledged writes; empty when it is durable. */
export async function unsafeSettings(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "select name from pg_settings where name = any($1) and setting = 'off' order by name",
    [[...SETTINGS]],
  )
  return rows.map(({ name }) => name)
}
