import { createHash, randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { ApiScope } from '#contract/api-scopes'
import { actorOf, mayEnter, PERSON, type PersonRecord } from './people.ts'
import { refused } from '../refused.ts'
import type { Actor } from '#domain/kit/access'
import type { Db } from '#migrations/db'

/** Prefix of every key: distinguishes it from an access token, and helps to find leaked keys. */
export const API_KEY_PREFIX = 'placard_key_'
/** Open keys per person. */
export const MOST_API_KEYS = 25

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
const instant = (column: string) => sql.raw(`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`)

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
        const { rows: owners } = await sql`
          select 1 from identity.people where id = ${personId} and token_version = ${version} for update`.execute(tx)
        if (owners.length === 0) throw refused(401)
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
      const { rows } = await sql<ApiKeyRow>`
        select id, name, hint, scopes, ${instant('created_at')}, ${instant('expires_at')}, ${instant('used_at')},
          ${instant('revoked_at')}
        from identity.api_keys where person_id = ${personId}
        order by revoked_at is not null, api_keys.created_at desc, id limit 200`.execute(db)
      return rows
    },

    /** Revokes a key for good; false when the person has none with this id. */
    async revoke(personId: string, id: string): Promise<boolean> {
      const { rows } = await sql`
        update identity.api_keys set revoked_at = coalesce(revoked_at, ${now()}::timestamptz)
        where id = ${id} and person_id = ${personId} returning 1`.execute(db)
      return rows.length > 0
    },

    /** The caller of a key; null when it is unknown, expired or revoked, or its owner may not sign in. Records its use, to a minute. */
    async find(key: string): Promise<ApiKeyHolder | null> {
      const { rows } = await sql<PersonRecord & { key_id: string; scopes: readonly ApiScope[]; stale: boolean }>`
        select k.id as key_id, k.scopes, k.used_at is null or k.used_at < ${now()}::timestamptz - interval '1 minute' as stale, ${PERSON}
        from identity.api_keys k join identity.people on people.id = k.person_id
        where k.secret_hash = ${hashOf(key)} and k.revoked_at is null and k.expires_at > ${now()}::timestamptz
          and ${mayEnter(demo)}`.execute(db)
      const row = rows[0]
      if (row === undefined) return null
      if (row.stale) await sql`update identity.api_keys set used_at = ${now()}::timestamptz where id = ${row.key_id}`.execute(db)
      return { id: row.key_id, actor: actorOf(row, row.home_space_id), scopes: row.scopes, version: row.token_version }
    },
  }
}
export type ApiKeys = ReturnType<typeof createApiKeys>
