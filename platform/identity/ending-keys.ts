import { sql, type Kysely } from 'kysely'
import type { EndingKeys } from '#commands/identity/ending-keys'
import { NOTICE_DAYS } from '#domain/kit/key-life'
import { isoText, timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

/** API keys that end soon, and of which their holders have no mail so far (fine print 86). */
export function createEndingKeys(db: Kysely<Db>): EndingKeys {
  return {
    due: async ({ now, until }, most) => {
      const rows = await db
        .selectFrom('identity.api_keys')
        .select('id')
        .where('revoked_at', 'is', null)
        .where('replaced_at', 'is', null)
        .where('end_mailed_at', 'is', null)
        .where('expires_at', '>', timestamptz(now))
        .where('expires_at', '<=', timestamptz(until))
        // The mail about a new key names its end: a key of a few days needs no second one at once.
        .where('expires_at', '>', (eb) => sql<Date>`${eb.ref('created_at')} + make_interval(days => ${NOTICE_DAYS})`)
        .orderBy('expires_at')
        .limit(most)
        .execute()
      return rows.map(({ id }) => id)
    },

    take: async (tx, id, now) => {
      // The condition is checked again after a wait for the row: one of two processes takes it ("one mail for each key").
      const taken = await tx
        .updateTable('identity.api_keys as k')
        .from('identity.people as people')
        .set({ end_mailed_at: now })
        .where('k.id', '=', id)
        .where('k.end_mailed_at', 'is', null)
        .where('k.revoked_at', 'is', null)
        .where('k.replaced_at', 'is', null)
        .whereRef('people.id', '=', 'k.person_id')
        .returning((eb) => [
          'k.id',
          'k.person_id',
          'k.hint',
          isoText(eb.ref('k.expires_at')).as('expires_at'),
          'people.whitelabel_id',
        ])
        .executeTakeFirst()
      return taken ?? null
    },
  }
}
