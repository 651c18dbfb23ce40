import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { EndingKeys } from '#commands/identity/ending-keys'
import { NOTICE_DAYS } from '#domain/kit/key-life'
import { allOf, isoText, timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { activeOwners } from './owners.ts'

/** Condition on a table `k` of keys: those that work on, and of whose end no mail was queued. */
const unmailed = sql<boolean>`k.revoked_at is null and k.replaced_at is null and k.end_mailed_at is null`

const due =
  (db: Kysely<Db>, table: RawBuilder<unknown>): EndingKeys['due'] =>
  async ({ now, until, except }, most) => {
    // The mail about a new key names its end: a key of a few days needs no second one at once.
    const { rows } = await sql<{ readonly id: string }>`
      select k.id from ${table} k
      where ${unmailed} and k.id <> ${allOf(except)} and k.expires_at > ${timestamptz(now)} and k.expires_at <= ${timestamptz(until)}
        and k.expires_at > k.created_at + make_interval(days => ${NOTICE_DAYS})
      order by k.expires_at limit ${most}`.execute(db)
    return rows.map(({ id }) => id)
  }

/** API keys; their holders are mailed. */
export function createEndingApiKeys(db: Kysely<Db>): EndingKeys {
  return {
    sweep: 'ending-api-keys',
    template: 'api-key-ending',
    due: due(db, sql.table('identity.api_keys')),
    take: async (tx, id, now) => {
      // The condition is checked again after a wait for the row: one of two processes takes it ("one mail for each key").
      const taken = await tx
        .updateTable('identity.api_keys as k')
        .from('identity.people as people')
        .set({ end_mailed_at: now })
        .where('k.id', '=', id)
        .where(unmailed)
        .whereRef('people.id', '=', 'k.person_id')
        .returning((eb) => ['k.person_id', 'k.hint', isoText(eb.ref('k.expires_at')).as('expires_at'), 'people.whitelabel_id'])
        .executeTakeFirst()
      if (taken === undefined) return null
      const { person_id, hint, ...key } = taken
      return { ...key, id, mailed: [person_id], data: { hint } }
    },
  }
}

/** Credentials of exchanges and bidders; the owners of their white-label are mailed, since who made one may have left. */
export function createEndingCredentials(db: Kysely<Db>): EndingKeys {
  return {
    sweep: 'ending-credentials',
    template: 'credential-ending',
    due: due(db, sql.table('identity.service_credentials')),
    take: async (tx, id, now) => {
      const taken = await tx
        .updateTable('identity.service_credentials as k')
        .set({ end_mailed_at: now })
        .where('k.id', '=', id)
        .where(unmailed)
        .returning((eb) => ['k.name', 'k.whitelabel_id', isoText(eb.ref('k.expires_at')).as('expires_at')])
        .executeTakeFirst()
      if (taken === undefined) return null
      const owners = await activeOwners(tx, taken.whitelabel_id)
      const { name, ...key } = taken
      return { ...key, id, mailed: owners, data: { name } }
    },
  }
}
