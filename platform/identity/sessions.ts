import { KEY_SESSION, KEY_TOKEN_SECONDS } from '#commands/identity/secrets'
import type { ApiKeys } from './api-keys.ts'
import { actingIn, actorWith, type PersonRecord } from '#commands/identity/person'
import { sql, type Kysely } from 'kysely'
import { outsideNetworks, refused } from '#commands/refused'
import { accessOf } from './account-access.ts'
import { mayEnter, PERSON } from './people.ts'
import { createSessionUse, type IdleLimitOf, type RecordEnd } from './session-use.ts'
import { ACCESS_SECONDS, hashToken, newRefreshToken, REFRESH_DAYS, type Tokens } from '#commands/identity/tokens'
import { anyOf, isoText, timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { beginning } from '#domain/kit/text'

/** An access token of a session. */
export type Access = {
  readonly access_token: string
  readonly expires_in: number
  readonly space_id: string
}

/** The answer of signing in, refreshing and switching (platform.md §3). */
export type Signed = Access & {
  readonly refresh_token: string
  /** Seconds, for a cookie; part of no answer. */
  readonly refresh_expires_in: number
}

/** The answer of the grant of client credentials (fine print 86). */
export type ClientToken = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  /** Scopes, with spaces between them. */
  readonly scope: string
}
/** A key and its id, and the scopes that are asked for; undefined for all of the key. */
export type ClientCredentials = {
  readonly id: string
  readonly secret: string
  readonly scopes: readonly string[] | undefined
}

export type SessionDeps = {
  readonly db: Kysely<Db>
  readonly tokens: Tokens
  readonly now: () => string
  readonly newId: () => string
  /** Whether demo people may have sessions. */
  readonly demo: boolean
  /** Records that sessions ended without a call of their user. */
  readonly recordEnd: RecordEnd
  readonly idleLimitOf: IdleLimitOf
  /** Whether the white-label keeps this user from working at this address. */
  readonly isOutside: (person: Pick<PersonRecord, 'roles' | 'whitelabel_id'>, address: string) => boolean
  /** Where a session that began at an identity provider ends there too; null for others. */
  readonly endUrlOf?: (session: string) => Promise<string | null>
  /** Keys that are exchanged for access tokens; without them none is. */
  readonly apiKeys?: Pick<ApiKeys, 'find'>
}

/** Longest life of a session, regardless of refreshes, days. */
const SESSION_DAYS = 90
const DAY_MS = 86_400_000
/** Open sessions per person: a further sign-in ends the one that was used longest ago. */
const MOST_SESSIONS = 20
/**
 * How long after its use the refresh token of a cookie answers an access token, milliseconds: tabs send the same cookie until the
 * answer to one of them replaces it.
 */
const SHARED_MS = 10_000

type Issuing = {
  readonly client?: Client | null
  readonly provedAt?: string | null
  readonly on?: Kysely<Db>
  readonly unattended?: boolean
  readonly inCookie?: boolean
}
/** `provedAt`: of a session that goes on in place of another one, whose proof it keeps; its start without it. */
type Starting = { readonly id?: string; readonly spaceId?: string; readonly provedAt?: string | null }
/**
 * Where a refresh comes from; `unattended` ones, which a page sends by itself, are no use of the session. `inCookie`: its answer puts
 * the next token into a cookie.
 */
type Refreshing = {
  readonly address?: string
  readonly isLocal?: boolean
  readonly unattended?: boolean
  readonly inCookie?: boolean
}
type Acting = NonNullable<ReturnType<typeof actingIn>>
type Family = { readonly id: string; readonly startedAt: string }

/** The browser or program of a sign-in, and its network, as its user sees them in the list of sessions. */
export type Client = {
  readonly userAgent: string
  readonly address: string
  readonly network: string
  readonly isLocal: boolean
  /** The browser gets the refresh token in a cookie. */
  readonly inCookie?: boolean
}

const NO_CLIENT: Client = { userAgent: '', address: '', network: '', isLocal: true }

export type SessionRow = {
  readonly id: string
  readonly started_at: string
  readonly used_at: string
  readonly expires_at: string
  readonly user_agent: string | null
  readonly network: string | null
}

/** Longest User-Agent that is stored, characters. */
const MOST_USER_AGENT = 300

/**
 * Sessions: families of refresh tokens, each used once. Reuse of a token ends its whole family, because it may be stolen. Access
 * tokens name their family and are valid only while it lives.
 */
export function createSessions(deps: SessionDeps) {
  const { db, tokens, now, newId, demo, recordEnd, idleLimitOf, isOutside } = deps
  const { endUrlOf = async () => null, apiKeys = { find: async () => null } } = deps
  const use = createSessionUse({ db, now, demo, idleLimitOf, recordEnd })

  const endOf = (startedAt: string): number => Date.parse(startedAt) + SESSION_DAYS * DAY_MS

  async function issue(
    person: PersonRecord,
    wanted: string | null,
    family: Family,
    { client = null, provedAt = family.startedAt, on = db, unattended = false, inCookie = false }: Issuing = {},
  ): Promise<Signed> {
    const acting = actingIn(await accessOf(on, person.id), wanted)
    if (acting === null) throw refused(client !== null ? 401 : 5)
    const account = acting.access.home ? null : acting.access.space_id
    const refresh = newRefreshToken()
    const time = Date.parse(now())
    const expiresAt = new Date(Math.min(time + REFRESH_DAYS * DAY_MS, endOf(family.startedAt))).toISOString()
    const stored =
      client !== null
        ? // Locked: a concurrent change of credentials is waited for and compared, or sees this session and ends it
          // ("a sign-in that races a new password leaves no session").
          sql`insert into identity.session_families
              (id, person_id, started_at, last_used_at, proved_at, expires_at, user_agent, network, in_cookie, space_id)
            select ${family.id}, id, ${family.startedAt}::timestamptz, ${family.startedAt}::timestamptz, ${provedAt}::timestamptz,
              ${expiresAt}::timestamptz, ${beginning(client.userAgent, MOST_USER_AGENT)}, ${client.network}, ${client.inCookie ?? false}, ${account}
            from identity.people
            where id = ${person.id} and token_version = ${person.token_version} for share returning id`
        : // A family that was revoked since the token was claimed gets no new one ("a refresh that races the end of its session fails").
          sql`update identity.session_families
            set expires_at = greatest(expires_at, ${expiresAt}::timestamptz), in_cookie = in_cookie or ${inCookie}, space_id = ${account},
              last_used_at = case when ${unattended} then last_used_at else ${now()}::timestamptz end
            where id = ${family.id} and revoked_at is null returning id`
    const { numAffectedRows } = await sql`
      with family as (${stored})
      insert into identity.sessions (token_hash, family, person_id, space_id, expires_at)
      select ${hashToken(refresh)}, id, ${person.id}, ${acting.spaceId}, ${expiresAt}::timestamptz from family`.execute(on)
    if (numAffectedRows !== 1n) throw refused(client !== null ? 401 : 5)
    if (client !== null) await endOldest(person, client.network)
    const { access_token, ...access } = await tokenFor(person, acting, family)
    const refresh_expires_in = Math.floor((Date.parse(expiresAt) - time) / 1000)
    return { access_token, refresh_token: refresh, refresh_expires_in, ...access }
  }

  /** An access token, which ends with its session. */
  async function tokenFor(person: PersonRecord, { access, spaceId }: Acting, { id, startedAt }: Family): Promise<Access> {
    const left = Math.floor((endOf(startedAt) - Date.parse(now())) / 1000)
    const seconds = Math.min(ACCESS_SECONDS, left)
    const session = { family: id, version: person.token_version, seconds }
    return {
      access_token: await tokens.sign(actorWith(person, access, spaceId), session),
      expires_in: seconds,
      space_id: spaceId,
    }
  }

  /** Sessions of the person beyond the limit, those that were used longest ago. */
  const beyondLimit = (personId: string, on: Kysely<Db>) =>
    on
      .selectFrom('identity.session_families')
      .select('id')
      .where('person_id', '=', personId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', timestamptz(now()))
      .orderBy((eb) => eb.fn.coalesce('last_used_at', 'started_at'), 'desc')
      .orderBy('id', 'desc')
      .offset(MOST_SESSIONS)

  /**
   * Holds the lock of a person until the commit. What ends several sessions of a person takes it before the first one: without an
   * order, two of them wait for each other's sessions until PostgreSQL refuses one.
   */
  const lockPerson = (personId: string, tx: Kysely<Db>) =>
    tx.selectFrom('identity.people').select('id').where('id', '=', personId).forNoKeyUpdate().execute()

  /** Ends the sessions beyond the limit. After the insert: the last of concurrent sign-ins sees all of them. */
  async function endOldest(person: PersonRecord, network: string): Promise<void> {
    if ((await beyondLimit(person.id, db).limit(1).execute()).length === 0) return
    const count = await db.transaction().execute(async (tx) => {
      await lockPerson(person.id, tx)
      const { numUpdatedRows } = await tx
        .updateTable('identity.session_families')
        .set({ revoked_at: now() })
        .where('id', 'in', beyondLimit(person.id, tx))
        // One may have ended alone meanwhile; it was counted there.
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    })
    if (count > 0) await recordEnd(person, { reason: 'limit', count, network })
  }

  const revoke = (family: string) =>
    db
      .updateTable('identity.session_families')
      .set({ revoked_at: now() })
      .where('id', '=', family)
      .where('revoked_at', 'is', null)
      .execute()

  async function familyOf(tokenHash: string) {
    const found = await db
      .selectFrom('identity.sessions as s')
      .leftJoin('identity.session_families as f', 'f.id', 's.family')
      .select((eb) => [
        's.family',
        eb('s.expires_at', '<=', timestamptz(now())).$castTo<boolean>().as('expired'),
        eb('s.used_at', 'is not', null).$castTo<boolean>().as('used'),
        eb
          .or([eb('f.id', 'is', null), eb('f.revoked_at', 'is not', null)])
          .$castTo<boolean>()
          .as('revoked'),
      ])
      .where('s.token_hash', '=', tokenHash)
      .executeTakeFirst()
    return found ?? null
  }

  /**
   * Marks a refresh token used and issues the next one, or null; of an idle session it returns that instead. Until the commit, other
   * transactions see the token as unused.
   */
  async function useOnce(
    tokenHash: string,
    { address = '', isLocal = false, unattended = false, inCookie = false }: Refreshing,
    tx: Kysely<Db>,
  ) {
    // One statement marks the token used: of two concurrent requests, one finds it unused.
    const person = await tx
      .updateTable('identity.sessions as s')
      .from(['identity.session_families as f', 'identity.people as people'])
      .set({ used_at: now() })
      .where('s.token_hash', '=', tokenHash)
      .where('s.used_at', 'is', null)
      .where('s.expires_at', '>', timestamptz(now()))
      .whereRef('f.id', '=', 's.family')
      .where('f.revoked_at', 'is', null)
      .whereRef('people.id', '=', 's.person_id')
      .where(mayEnter(demo && isLocal))
      .returning((eb) => [
        's.family',
        eb.fn.coalesce('f.space_id', 's.space_id').as('space_id'),
        'f.started_at',
        'f.network',
        isoText(eb.fn.coalesce('f.last_used_at', 'f.started_at')).as('used_at'),
      ])
      .returning(PERSON)
      .executeTakeFirst()
    if (person === undefined) return null
    const { family, network, whitelabel_id } = person
    // The token stays unused: it works again where the user may work.
    if (isOutside(person, address)) throw outsideNetworks()
    if (use.isIdle(person)) return { idle: { id: family, person_id: person.id, whitelabel_id, network } }
    const signed = { id: family, startedAt: person.started_at.toISOString() }
    return { signed: await issue(person, person.space_id, signed, { on: tx, unattended, inCookie }) }
  }

  /** An access token for a refresh token that was used a moment ago, in a session that goes on; null for any other. */
  async function useAgain(tokenHash: string, { address = '', isLocal = false }: Refreshing): Promise<Access | null> {
    const person = await db
      .selectFrom('identity.sessions as s')
      .innerJoin('identity.session_families as f', 'f.id', 's.family')
      .innerJoin('identity.people as people', 'people.id', 's.person_id')
      .select((eb) => ['s.family', eb.fn.coalesce('f.space_id', 's.space_id').as('space_id'), 'f.started_at'])
      .select(PERSON)
      .where('s.token_hash', '=', tokenHash)
      .where('s.used_at', '>', timestamptz(new Date(Date.parse(now()) - SHARED_MS).toISOString()))
      .where('f.revoked_at', 'is', null)
      .where('f.expires_at', '>', timestamptz(now()))
      .where(mayEnter(demo && isLocal))
      .executeTakeFirst()
    if (person === undefined) return null
    if (isOutside(person, address)) throw outsideNetworks()
    const acting = actingIn(await accessOf(db, person.id), person.space_id)
    return acting === null ? null : tokenFor(person, acting, { id: person.family, startedAt: person.started_at.toISOString() })
  }

  /** `orElse` answers for a token that cannot be used, before its session ends for it. */
  async function refreshOr<T>(
    token: string,
    from: Refreshing,
    orElse: (tokenHash: string) => Promise<T | null>,
  ): Promise<Signed | T> {
    const hash = hashToken(token)
    const seen = await familyOf(hash)
    const used = await db.transaction().execute((tx) => useOnce(hash, from, tx))
    if (used?.signed !== undefined) return used.signed
    if (used !== null) {
      await use.endIdle(used.idle)
      throw refused(4)
    }
    const other = await orElse(hash)
    if (other !== null) return other
    const stale = await familyOf(hash)
    if (stale === null || seen === null) throw refused(5)
    if (seen.used && !stale.revoked) await revoke(stale.family)
    throw refused(stale.expired && !stale.used && !stale.revoked ? 4 : 5)
  }

  return {
    signIn(person: PersonRecord, client: Client = NO_CLIENT, starting: Starting = {}): Promise<Signed> {
      const { spaceId = null, id = newId(), ...proved } = starting
      return issue(person, spaceId, { id, startedAt: now() }, { client, ...proved })
    },

    /**
     * A token in exchange for an API key, with the rights of the key or with fewer scopes; null for wrong credentials. It is no
     * session: it names the key, and ends with it (`api/http/identify.ts`). 2 for a scope that the key lacks; 3 where the user may
     * not work.
     */
    async exchange({ id, secret, scopes }: ClientCredentials, address: string): Promise<ClientToken | null> {
      const key = await apiKeys.find(secret)
      if (key === null || key.id !== id) return null
      const { actor, version, expires_at } = key
      if (isOutside({ roles: actor.roles, whitelabel_id: actor.whitelabelId }, address)) throw outsideNetworks()
      const granted = scopes === undefined ? key.scopes : key.scopes.filter((scope) => scopes.includes(scope))
      if (granted.length < new Set(scopes).size)
        throw refused(2, [{ path: 'scope', code: 2, message: `This key has the scopes ${key.scopes.join(' ')}` }])
      const left = Math.floor((Date.parse(expires_at) - Date.parse(now())) / 1000)
      const seconds = Math.min(KEY_TOKEN_SECONDS, left)
      const access_token = await tokens.sign(actor, { family: KEY_SESSION + id, version, seconds, scopes: granted })
      return { access_token, token_type: 'Bearer', expires_in: seconds, scope: granted.join(' ') }
    },

    /** When the user of an open session last proved themself; null when that is unknown, or the session has ended. */
    async provedAt(session: string): Promise<string | null> {
      const found = await db
        .selectFrom('identity.session_families')
        .select((eb) => isoText(eb.ref('proved_at')).as('proved_at'))
        .where('id', '=', session)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return found?.proved_at ?? null
    },

    /** Stores a proof of now; 401 when the session has ended meanwhile. */
    async prove(session: string): Promise<string> {
      const at = now()
      const { numUpdatedRows } = await db
        .updateTable('identity.session_families')
        .set({ proved_at: at })
        .where('id', '=', session)
        // One that ended while its check was cached stays as it is ("needs a session that is open").
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw refused(401)
      return at
    },

    /** The open sessions of a person, the last used first. */
    async list(personId: string): Promise<readonly SessionRow[]> {
      const rows = await db
        .selectFrom('identity.session_families as f')
        .innerJoin('identity.people as people', 'people.id', 'f.person_id')
        .select((eb) => [eb.ref('people.roles').$castTo<PersonRecord['roles']>().as('roles'), 'people.whitelabel_id'])
        .select((eb) => [
          'f.id',
          isoText(eb.ref('f.started_at')).as('started_at'),
          isoText(eb.fn.coalesce('f.last_used_at', 'f.started_at')).as('used_at'),
          isoText(eb.ref('f.expires_at')).as('expires_at'),
          'f.user_agent',
          'f.network',
        ])
        .where('f.person_id', '=', personId)
        .where('f.revoked_at', 'is', null)
        .where('f.expires_at', '>', timestamptz(now()))
        .orderBy((eb) => eb.fn.coalesce('f.last_used_at', 'f.started_at'), 'desc')
        .orderBy('f.id')
        .limit(200)
        .execute()
      return rows.filter((row) => !use.isIdle(row)).map(({ roles: _, whitelabel_id: __, ...row }) => row)
    },

    /** Ends one session of a person; false when they have none with this id. */
    async end(personId: string, session: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('identity.session_families')
        .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', timestamptz(now())) }))
        .where('id', '=', session)
        .where('person_id', '=', personId)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Ends sessions without a call of their users; answers whose they were. */
    async endEach(families: readonly string[]): Promise<readonly string[]> {
      const ended = await db
        .updateTable('identity.session_families')
        .set({ revoked_at: now() })
        .where('id', '=', anyOf(families))
        .where('revoked_at', 'is', null)
        .returning('person_id')
        .execute()
      return [...new Set(ended.map(({ person_id }) => person_id))]
    },

    /** Ends every session of a person but this one, and every API key and link for a new password; answers how many sessions ended. */
    endOthers(personId: string, session: string): Promise<number> {
      return db.transaction().execute(async (tx) => {
        await lockPerson(personId, tx)
        const { numUpdatedRows } = await tx
          .updateTable('identity.session_families')
          .set({ revoked_at: now() })
          .where('person_id', '=', personId)
          .where('id', '<>', session)
          .where('revoked_at', 'is', null)
          .where('expires_at', '>', timestamptz(now()))
          .executeTakeFirst()
        await sql`select identity.end_keys(${personId})`.execute(tx)
        return Number(numUpdatedRows)
      })
    },

    /**
     * A new pair of tokens. 4 when the token is too old, 5 when it is unknown, was used before or was revoked. Reuse of a token
     * ends its session, unless both uses were concurrent, as when two tabs refresh together: then only the second is refused. 4 too
     * when the session was idle for too long, which ends it; 3 at an address where the user may not work.
     */
    refresh: (token: string, from: Refreshing = {}): Promise<Signed> => refreshOr<never>(token, from, async () => null),

    /**
     * The same for the token of a cookie, which all tabs of a browser send: for ten seconds after its use it answers an access token
     * without a refresh token, so that no tab ends the session of the others (fine print 90).
     */
    refreshShared: (token: string, from: Refreshing = {}): Promise<Signed | Access> =>
      refreshOr(token, from, (tokenHash) => useAgain(tokenHash, from)),

    /**
     * Ends the session of a refresh token; an unknown token is no error, because its session has ended already. Answers where the
     * browser ends the session at the identity provider too; null without one.
     */
    async signOut(token: string): Promise<string | null> {
      const session = await familyOf(hashToken(token))
      if (session === null) return null
      await revoke(session.family)
      return endUrlOf(session.family)
    },

    /**
     * Tokens for another space in the same session, ending with it; the caller has checked the right to the space. The session then
     * acts there alone: of advertisers, tokens for the account before are refused (fine print 93). In a session whose
     * refresh token is in a cookie that token stays and follows into the space: an access token alone must not yield one.
     */
    async switchTo(person: PersonRecord, spaceId: string, session: string, inCookie = false): Promise<Signed | Access> {
      const families = db.selectFrom('identity.session_families').select(['started_at', 'in_cookie'])
      const family = await families.where('id', '=', session).executeTakeFirst()
      if (family === undefined) throw refused(401)
      const begun = { id: session, startedAt: family.started_at.toISOString() }
      if (!family.in_cookie) return issue(person, spaceId, begun, { inCookie })
      const acting = actingIn(await accessOf(db, person.id), spaceId)
      if (acting === null) throw refused(401)
      const { access } = acting
      await db.transaction().execute(async (tx) => {
        await tx
          .updateTable('identity.session_families')
          .set({ space_id: access.home ? null : access.space_id })
          .where('id', '=', session)
          .execute()
        await tx.updateTable('identity.sessions').set({ space_id: acting.spaceId }).where('family', '=', session).execute()
      })
      return tokenFor(person, acting, begun)
    },

    /**
     * Ends every session of a person, and every API key and link for a new password. A changed password or role does so automatically
     * (migration 0150).
     */
    async endAll(personId: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await sql`
          with person as (update identity.people set token_version = token_version + 1 where id = ${personId} returning id)
          update identity.session_families f set revoked_at = ${now()}::timestamptz from person
          where person_id = person.id and revoked_at is null`.execute(tx)
        await sql`select identity.end_keys(${personId})`.execute(tx)
      })
    },

    /**
     * The same for what acts in one account of a person, where they have others (fine print 93). Links for a new password stay then:
     * they belong to the person.
     */
    async endIn(personId: string, spaceId: string): Promise<void> {
      const own = await db.selectFrom('identity.people').select('home_space_id').where('id', '=', personId).executeTakeFirst()
      const account = own?.home_space_id === spaceId ? null : spaceId
      const joined = db.selectFrom('identity.memberships').select('person_id').where('person_id', '=', personId)
      if (account === null && (await joined.where('state', '=', 'active').executeTakeFirst()) === undefined)
        return this.endAll(personId)
      await db.transaction().execute(async (tx) => {
        for (const table of ['identity.session_families', 'identity.api_keys'] as const)
          await tx
            .updateTable(table)
            .set({ revoked_at: now() })
            .where('person_id', '=', personId)
            .where('space_id', 'is not distinct from', account)
            .where('revoked_at', 'is', null)
            .execute()
      })
    },

    check: use.check,
    living: use.living,

    /** Removes expired rows: sessions with their tokens, and networks not seen for 180 days. */
    async purge(): Promise<void> {
      await db.deleteFrom('identity.session_families').where('expires_at', '<=', timestamptz(now())).execute()
      await sql`
        delete from identity.sessions s where expires_at <= ${now()}::timestamptz
          or not exists (select 1 from identity.session_families f where f.id = s.family)`.execute(db)
      await db
        .deleteFrom('identity.known_networks')
        .where('last_at', '<=', sql<Date>`now() - interval '180 days'`)
        .execute()
    },
  }
}
export type Sessions = ReturnType<typeof createSessions>

/** Ends the sessions of a person that began by single sign-on. */
export async function endSignOnSessions(db: Kysely<Db>, personId: string, now: string): Promise<void> {
  await db
    .updateTable('identity.session_families')
    .set({ revoked_at: now })
    .where('person_id', '=', personId)
    .where('revoked_at', 'is', null)
    .where('id', 'in', (eb) => eb.selectFrom('identity.sign_on_sessions').select('family'))
    .execute()
}
