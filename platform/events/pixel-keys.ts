import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { PixelKeys } from '../../commands/events/events-port.ts'

/** Accounts whose keys a process keeps in memory; a key never changes. */
const REMEMBERED = 10_000

/** Pixel keys in PostgreSQL. */
export function createPixelKeys(db: Kysely<never>): PixelKeys {
  const spaces = new Map<string, string>()
  return {
    async keyOf(spaceId: string): Promise<string> {
      const made = `px_${randomBytes(12).toString('base64url')}`
      await sql`insert into app.pixel_keys (space_id, key) values (${spaceId}, ${made}) on conflict (space_id) do nothing`.execute(
        db,
      )
      const { rows } = await sql<{ readonly key: string }>`select key from app.pixel_keys where space_id = ${spaceId}`.execute(db)
      const key = rows[0]?.key
      if (key === undefined) throw new Error(`the pixel key of ${spaceId} could not be created`)
      return key
    },

    async spaceOf(key: string): Promise<string | null> {
      const known = spaces.get(key)
      if (known !== undefined) return known
      const { rows } = await sql<{ readonly space_id: string }>`select space_id from app.pixel_keys where key = ${key}`.execute(
        db,
      )
      const [row] = rows
      if (row === undefined) return null
      if (spaces.size >= REMEMBERED) spaces.clear()
      spaces.set(key, row.space_id)
      return row.space_id
    },
  }
}
