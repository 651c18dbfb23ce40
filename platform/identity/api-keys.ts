import { API_KEY_PREFIX, MOST_API_KEYS } from '#commands/identity/secrets'
import type { ApiScope } from '#domain/kit/api-scopes'
import { endsOfRotation } from '#domain/kit/key-life'
import { actorWith } from '#commands/identity/person'
import { createHash, randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { ACCOUNT_ACCESS } from './account-access.ts'
import { mayEnter, PERSON } from './people.ts'
import { refused } from '#commands/refused'
import type { StoredActor } from '#domain/kit/access'
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
  /** When a rotation replaced it; it works until `expires_at` all the same. */
  readonly replaced_at: string | null
}

/** A key that was just made: the only answer with its secret. */
export type MadeKey = {
  readonly id: string
  readonly key: string
  readonly created_at: string
  readonly expires_at: string
}

/** `replaced`: the key was rotated before. `overlapping`: the key that it replaced still works. `unknown`: there is no such key that works. */
export type KeyRotation =
  | { readonly kind: 'made'; readonly made: MadeKey; readonly replaced_until: string }
  | { readonly kind: 'unknown' | 'replaced' | 'overlapping' }

/** The caller that a key stands for: its owner, with the scopes of the key. */
export type ApiKeyHolder = {
  readonly id: string
  readonly actor: StoredActor
  readonly scopes: readonly ApiScope[]
  readonly version: number
  readonly expires_at: string
}

type NewKey = {
  readonly name: string
  readonly scopes: readonly ApiScope[]
  readonly expires_at: string
  /** The account that the key is for, other than home (fine print 93). */
  readonly spaceId?: string | null
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
  /**
   * Locks the owner's row, and that of their membership; 401 when their credentials are of another version than the caller showed, or
   * they left the account.
   */
  async function lockOwner(tx: Kysely<Db>, personId: string, version: number, spaceId: string | null = null): Promise<void> {
    const owner = await tx
      .selectFrom('identity.people')
      .select('id')
      .where('id', '=', personId)
      .where('token_version', '=', version)
      .forUpdate()
      .executeTakeFirst()
    if (owner === undefined) throw refused(401)
    if (spaceId === null) return
    const joined = tx.selectFrom('identity.memberships').select('person_id').where('person_id', '=', personId)
    const member = joined.where('space_id', '=', spaceId).where('state', '=', 'active').forShare()
    if ((await member.executeTakeFirst()) === undefined) throw refused(401)
  }

  async function insert(
    tx: Kysely<Db>,
    personId: string,
    { name, scopes, expires_at, spaceId = null }: NewKey,
  ): Promise<MadeKey> {
    const id = newId()
    const created_at = now()
    const key = API_KEY_PREFIX + randomBytes(32).toString('base64url')
    const row = {
      id,
      person_id: personId,
      name,
      hint: key.slice(-4),
      secret_hash: hashOf(key),
      scopes: [...scopes],
      space_id: spaceId,
    }
    await tx
      .insertInto('identity.api_keys')
      .values({ ...row, created_at, expires_at })
      .execute()
    return { id, key, created_at, expires_at }
  }

  /** The caller of the working key with this value; null without one, or when its owner may not sign in. Records its use, to a minute. */
  async function holderBy(column: 'k.id' | 'k.secret_hash', value: string): Promise<ApiKeyHolder | null> {
    const row = await db
      .selectFrom('identity.api_keys as k')
      .innerJoin('identity.people as people', 'people.id', 'k.person_id')
      .innerJoin(ACCOUNT_ACCESS.as('a'), (join) =>
        join
          .onRef('a.person_id', '=', 'people.id')
          .on((eb) => eb('a.space_id', '=', eb.fn.coalesce('k.space_id', 'people.home_space_id'))),
      )
      .select(['a.space_id', 'a.home', 'a.roles as own_roles', 'a.rights as own_rights'])
      .select((eb) => [
        'k.id as key_id',
        eb.ref('k.scopes').$castTo<ApiScope[]>().as('scopes'),
        isoText(eb.ref('k.expires_at')).as('expires_at'),
        eb
          .or([eb('k.used_at', 'is', null), eb('k.used_at', '<', sql<Date>`${timestamptz(now())} - interval '1 minute'`)])
          .as('stale'),
        ...PERSON,
      ])
      .where(column, '=', value)
      .where('k.revoked_at', 'is', null)
      .where('k.expires_at', '>', timestamptz(now()))
      .where(mayEnter(demo))
      .executeTakeFirst()
    if (row === undefined) return null
    const { key_id: id, scopes, expires_at, token_version: version } = row
    if (row.stale) await db.updateTable('identity.api_keys').set({ used_at: now() }).where('id', '=', id).execute()
    const access = { space_id: row.space_id, home: row.home, roles: row.own_roles, rights: row.own_rights }
    return { id, actor: actorWith(row, access), scopes, version, expires_at }
  }

  return {
    /**
     * Creates a key, shown here only; null when the person has too many in the account. `version` is that of the credentials that the caller showed:
     * a change of them since then refuses the key with 401.
     */
    create(personId: string, version: number, wanted: NewKey): Promise<MadeKey | null> {
      return db.transaction().execute(async (tx) => {
        // Locked: two concurrent requests cannot both take the last place ("keys created at once stay within the limit").
        await lockOwner(tx, personId, version, wanted.spaceId)
        // A replaced key ends within a day, and its successor has its place.
        const { count } = await tx
          .selectFrom('identity.api_keys')
          .select((eb) => eb.fn.countAll<string>().as('count'))
          .where('person_id', '=', personId)
          .where('space_id', 'is not distinct from', wanted.spaceId ?? null)
          .where('revoked_at', 'is', null)
          .where('replaced_at', 'is', null)
          .where('expires_at', '>', timestamptz(now()))
          .executeTakeFirstOrThrow()
        return Number(count) < MOST_API_KEYS ? insert(tx, personId, wanted) : null
      })
    },

    /**
     * Makes a new key with the name and scopes of a working one, which works for at most another day (`endsOfRotation`). A key is
     * replaced once, and not while the one that it replaced works: at most two keys work in its place. 401 as `create`.
     */
    rotate(
      personId: string,
      version: number,
      { id, most }: { readonly id: string; readonly most: number },
    ): Promise<KeyRotation> {
      return db.transaction().execute(async (tx): Promise<KeyRotation> => {
        // Locked: of concurrent rotations one makes a key, and the others find it replaced ("thirty rotations at once make one key").
        await lockOwner(tx, personId, version)
        const time = now()
        const open = () =>
          tx
            .selectFrom('identity.api_keys')
            .where('person_id', '=', personId)
            .where('revoked_at', 'is', null)
            .where('expires_at', '>', timestamptz(time))
        const old = await open()
          .select((eb) => [
            'name',
            'space_id as spaceId',
            eb.ref('scopes').$castTo<ApiScope[]>().as('scopes'),
            isoText(eb.ref('created_at')).as('created_at'),
            isoText(eb.ref('expires_at')).as('expires_at'),
            eb('replaced_at', 'is not', null).$castTo<boolean>().as('replaced'),
          ])
          .where('id', '=', id)
          .executeTakeFirst()
        if (old === undefined) return { kind: 'unknown' }
        if (old.replaced) return { kind: 'replaced' }
        if ((await open().select('id').where('replaced_by', '=', id).executeTakeFirst()) !== undefined)
          return { kind: 'overlapping' }
        const ends = endsOfRotation(old, time, most)
        const made = await insert(tx, personId, {
          name: old.name,
          scopes: old.scopes,
          expires_at: ends.next,
          spaceId: old.spaceId,
        })
        await tx
          .updateTable('identity.api_keys')
          .set({ replaced_by: made.id, replaced_at: time, expires_at: ends.old })
          .where('id', '=', id)
          .execute()
        return { kind: 'made', made, replaced_until: ends.old }
      })
    },

    /** Keys of a person in an account, newest first, at most 200; null is home. */
    async list(personId: string, spaceId: string | null = null): Promise<readonly ApiKeyRow[]> {
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
          isoText(eb.ref('k.replaced_at')).as('replaced_at'),
        ])
        .where('k.person_id', '=', personId)
        .where('k.space_id', 'is not distinct from', spaceId)
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
    find: (key: string): Promise<ApiKeyHolder | null> => holderBy('k.secret_hash', hashOf(key)),
    /** The same by the id of a key, for access tokens that it was exchanged for. */
    holder: (id: string): Promise<ApiKeyHolder | null> => holderBy('k.id', id),
  }
}
export type ApiKeys = ReturnType<typeof createApiKeys>
