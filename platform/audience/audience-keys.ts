import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
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
      // One of two processes that ask first creates the key, and both read it.
      await db
        .insertInto('app.audience_keys')
        .values({ whitelabel_id: whitelabelId, key: randomBytes(KEY_BYTES) })
        .onConflict((conflict) => conflict.column('whitelabel_id').doNothing())
        .execute()
      const keys = db.selectFrom('app.audience_keys').select('key')
      const stored = await keys.where('whitelabel_id', '=', whitelabelId).executeTakeFirst()
      if (stored === undefined) throw new Error(`the audience key of white-label ${whitelabelId} could not be created`)
      known.set(whitelabelId, stored.key)
      return stored.key
    },
    async all(whitelabelId) {
      return db
        .selectFrom('app.audience_keys')
        .select(['whitelabel_id', 'key'])
        .$if(whitelabelId !== null, (found) => found.where('whitelabel_id', '=', whitelabelId))
        .orderBy('whitelabel_id')
        .execute()
    },
  }
}
