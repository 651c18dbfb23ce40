import { API_KEY_PREFIX, MOST_API_KEYS } from '#commands/identity/secrets'
import type { ApiScope } from '#domain/kit/api-scopes'
import { actorOf } from '#commands/identity/person'
import { createHash, randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { mayEnter, PERSON } from './people.ts'
import { refused } from '#commands/refused'
import type { Actor } from '#domain/kit/access'
import { isoText, timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

export type ApiKeyRow = {
  readonly id: string
  readonly name: string
  /** The last four characters of the key. */
  readonly hint: string
  readonly scopes: readonly ApiScope[]
  readonly created_at: string
  readonly expires_at: string
  readonly used_at: string | null
  readonly revoked_at: string | null
}

/** The caller that a key stands for: its owner, with the scopes of the key. */
export type ApiKeyHolder = {
  readonly id: string
  readonly actor: Actor
  readonly scopes: readonly ApiScope[]
  readonly version: number
}

export type ApiKeysDeps = {
  readonly db: Kysely<Db>
  readonly now: () => string
  readonly newId: () => string
  readonly demo: boolean
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')

/** API keys of users. A key has 256 random bits, so a plain hash protects it. */
export function createApiKeys({ db, now, newId, demo }: ApiKeysDeps) {
  return {
    /**
     * Creates a key, shown here only; null when the person has too many. `version` is that of the credentials that the caller showed:
     * a change of them since then refuses the key with 401.
     */
    async create(
      personId: string,
      version: number,
      wanted: { readonly name: string; readonly scopes: readonly ApiScope[]; readonly expires_at: string },
    ): Promise<{ readonly id: string; readonly key: string; readonly created_at: string } | null> {
      const id = newId()
      const created_at = now()
      const key = API_KEY_PREFIX + randomBytes(32).toString('base64url')
      // Locked: two concurrent requests cannot both take the last place ("keys created at once stay within the limit").
      return db.transaction().execute(async (tx) => {
        const owner = await tx
          .selectFrom('identity.people')
          .select('id')
          .where('id', '=', personId)
          .where('token_version', '=', version)
          .forUpdate()
          .executeTakeFirst()
        if (owner === undefined) throw refused(401)
        const { rows } = await sql`
          insert into identity.api_keys (id, person_id, name, hint, secret_hash, scopes, created_at, expires_at)
          select ${id}, ${personId}, ${wanted.name}, ${key.slice(-4)}, ${hashOf(key)}, ${[...wanted.scopes]}, ${created_at},
            ${wanted.expires_at}
          where (select count(*) from identity.api_keys
                 where person_id = ${personId} and revoked_at is null and expires_at > ${created_at}::timestamptz) < ${MOST_API_KEYS}
          returning 1`.execute(tx)
        return rows.length > 0 ? { id, key, created_at } : null
      })
    },

    /** Keys of a person, newest first, at most 200. */
    async list(personId: string): Promise<readonly ApiKeyRow[]> {
      return db
        .selectFrom('identity.api_keys as k')
        .select((eb) => [
          'k.id',
          'k.name',
          'k.hint',
          eb.ref('k.scopes').$castTo<ApiScope[]>().as('scopes'),
          isoText(eb.ref('k.created_at')).as('created_at'),
          isoText(eb.ref('k.expires_at')).as('expires_at'),
          isoText(eb.ref('k.used_at')).as('used_at'),
          isoText(eb.ref('k.revoked_at')).as('revoked_at'),
        ])
        .where('k.person_id', '=', personId)
        .orderBy((eb) => eb('k.revoked_at', 'is not', null))
        .orderBy('k.created_at', 'desc')
        .orderBy('k.id')
        .limit(200)
        .execute()
    },

    /** Revokes a key for good; false when the person has none with this id. */
    async revoke(personId: string, id: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('identity.api_keys')
        .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', timestamptz(now())) }))
        .where('id', '=', id)
        .where('person_id', '=', personId)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** The caller of a key; null when it is unknown, expired or revoked, or its owner may not sign in. Records its use, to a minute. */
    async find(key: string): Promise<ApiKeyHolder | null> {
      const row = await db
        .selectFrom('identity.api_keys as k')
        .innerJoin('identity.people as people', 'people.id', 'k.person_id')
        .select((eb) => [
          'k.id as key_id',
          eb.ref('k.scopes').$castTo<ApiScope[]>().as('scopes'),
          eb
            .or([eb('k.used_at', 'is', null), eb('k.used_at', '<', sql<Date>`${timestamptz(now())} - interval '1 minute'`)])
            .as('stale'),
          ...PERSON,
        ])
        .where('k.secret_hash', '=', hashOf(key))
        .where('k.revoked_at', 'is', null)
        .where('k.expires_at', '>', timestamptz(now()))
        .where(mayEnter(demo))
        .executeTakeFirst()
      if (row === undefined) return null
      if (row.stale) await db.updateTable('identity.api_keys').set({ used_at: now() }).where('id', '=', row.key_id).execute()
      return { id: row.key_id, actor: actorOf(row, row.home_space_id), scopes: row.scopes, version: row.token_version }
    },
  }
}
export type ApiKeys = ReturnType<typeof createApiKeys>
