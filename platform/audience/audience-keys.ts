import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { AudienceKeys } from '#commands/audience/audience-port'
import type { Db } from '#migrations/db'

const KEY_BYTES = 32

/** Keys of hashed identifiers in PostgreSQL, shared by all processes. */
export function createAudienceKeys(db: Kysely<Db>): AudienceKeys {
  const known = new Map<string, Buffer>()
  return {
    async keyOf(whitelabelId) {
      const remembered = known.get(whitelabelId)
      if (remembered !== undefined) return remembered
      // Of two processes that ask first, one creates the key and both read it.
      await sql`
        insert into app.audience_keys (whitelabel_id, key) values (${whitelabelId}, ${randomBytes(KEY_BYTES)})
        on conflict (whitelabel_id) do nothing`.execute(db)
      const { rows } = await sql<{ readonly key: Buffer }>`
        select key from app.audience_keys where whitelabel_id = ${whitelabelId}`.execute(db)
      const key = rows[0]?.key
      if (key === undefined) throw new Error(`the audience key of white-label ${whitelabelId} could not be created`)
      known.set(whitelabelId, key)
      return key
    },
    async all(whitelabelId) {
      const { rows } = await sql<{ readonly whitelabel_id: string; readonly key: Buffer }>`
        select whitelabel_id, key from app.audience_keys
        where ${whitelabelId === null ? sql`true` : sql`whitelabel_id = ${whitelabelId}`} order by whitelabel_id`.execute(db)
      return rows
    },
  }
}
