import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import { refused } from '../refused.ts'
import { actorOf, mayEnter, PERSON, type PersonRecord } from './people.ts'
import { ACCESS_SECONDS, hashToken, newRefreshToken, REFRESH_DAYS, type Tokens } from './tokens.ts'

/** The answer of signing in, refreshing and switching (platform.md §3). */
export type Signed = {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly space_id: string
}

export type SessionDeps = {
  readonly db: Kysely<Db>
  readonly tokens: Tokens
  readonly now: () => string
  readonly newId: () => string
  /** Whether demo people may have sessions. */
  readonly demo: boolean
}

/** Longest life of a session, regardless of refreshes, days. */
const SESSION_DAYS = 90
const DAY_MS = 86_400_000
/** Open sessions per person: a further sign-in ends the one that was used longest ago. */
const MOST_SESSIONS = 20

const instant = (expression: string, name = expression) =>
  sql.raw(`to_char(${expression} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${name}`)

type Family = { readonly id: string; readonly startedAt: string }

/** The browser or program of a sign-in, and its network, as its user sees them in the list of sessions. */
export type Client = { readonly userAgent: string; readonly network: string; readonly isLocal: boolean }

const NO_CLIENT: Client = { userAgent: '', network: '', isLocal: true }

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
export function createSessions({ db, tokens, now, newId, demo }: SessionDeps) {
  async function issue(
    person: PersonRecord,
    spaceId: string,
    family: Family,
    { client = null, on = db }: { readonly client?: Client | null; readonly on?: Kysely<Db> } = {},
  ): Promise<Signed> {
    const refresh = newRefreshToken()
    const time = Date.parse(now())
    const ends = Date.parse(family.startedAt) + SESSION_DAYS * DAY_MS
    const expiresAt = new Date(Math.min(time + REFRESH_DAYS * DAY_MS, ends)).toISOString()
    const stored =
      client !== null
        ? // Locked: a concurrent change of credentials is waited for and compared, or sees this session and ends it
          // ("a sign-in that races a new password leaves no session").
          sql`insert into identity.session_families (id, person_id, started_at, last_used_at, expires_at, user_agent, network)
            select ${family.id}, id, ${family.startedAt}::timestamptz, ${family.startedAt}::timestamptz, ${expiresAt}::timestamptz,
              ${client.userAgent.slice(0, MOST_USER_AGENT)}, ${client.network} from identity.people
            where id = ${person.id} and token_version = ${person.token_version} for share returning id`
        : // A family that was revoked since the token was claimed gets no new one ("a refresh that races the end of its session fails").
          sql`update identity.session_families
            set expires_at = greatest(expires_at, ${expiresAt}::timestamptz), last_used_at = ${now()}::timestamptz
            where id = ${family.id} and revoked_at is null returning id`
    const { numAffectedRows } = await sql`
      with family as (${stored})
      insert into identity.sessions (token_hash, family, person_id, space_id, expires_at)
      select ${hashToken(refresh)}, id, ${person.id}, ${spaceId}, ${expiresAt}::timestamptz from family`.execute(on)
    if (numAffectedRows !== 1n) throw refused(client !== null ? 401 : 5)
    if (client !== null) await endOldest(person.id)
    const seconds = Math.min(ACCESS_SECONDS, Math.floor((ends - time) / 1000))
    const session = { family: family.id, version: person.token_version, seconds }
    const access = await tokens.sign(actorOf(person, spaceId), session)
    return { access_token: access, refresh_token: refresh, expires_in: seconds, space_id: spaceId }
  }

  /** After the insert: whichever of concurrent sign-ins comes last sees all of them. */
  const endOldest = (personId: string) =>
    sql`
      update identity.session_families set revoked_at = ${now()}::timestamptz where id in (
        select id from identity.session_families
        where person_id = ${personId} and revoked_at is null and expires_at > ${now()}::timestamptz
        order by coalesce(last_used_at, started_at) desc, id desc offset ${MOST_SESSIONS})`.execute(db)

  const revoke = (family: string) =>
    sql`update identity.session_families set revoked_at = ${now()}::timestamptz where id = ${family} and revoked_at is null`.execute(
      db,
    )

  async function familyOf(tokenHash: string) {
    const { rows } = await sql<{ family: string; expired: boolean; used: boolean; revoked: boolean }>`
      select family, s.expires_at <= ${now()}::timestamptz as expired, used_at is not null as used,
             f.id is null or revoked_at is not null as revoked
      from identity.sessions s left join identity.session_families f on f.id = s.family where token_hash = ${tokenHash}`.execute(
      db,
    )
    return rows[0] ?? null
  }

  /**
   * Marks a refresh token used and issues the next one, or null. Until the commit, other transactions see the token as unused.
   */
  async function useOnce(tokenHash: string, isLocal: boolean, tx: Kysely<Db>): Promise<Signed | null> {
    // One statement marks the token used: of two concurrent requests, one finds it unused.
    const { rows } = await sql<PersonRecord & { family: string; space_id: string; started_at: Date }>`
      update identity.sessions s set used_at = ${now()}::timestamptz
      from identity.session_families f, identity.people
      where token_hash = ${tokenHash} and used_at is null and s.expires_at > ${now()}::timestamptz
        and f.id = s.family and f.revoked_at is null and people.id = s.person_id and ${mayEnter(demo && isLocal)}
      returning s.family, s.space_id, f.started_at, ${PERSON}`.execute(tx)
    const person = rows[0]
    if (person === undefined) return null
    return issue(person, person.space_id, { id: person.family, startedAt: person.started_at.toISOString() }, { on: tx })
  }

  return {
    signIn: (person: PersonRecord, client: Client = NO_CLIENT, spaceId = person.home_space_id): Promise<Signed> =>
      issue(person, spaceId, { id: newId(), startedAt: now() }, { client }),

    /** The open sessions of a person, the last used first. */
    async list(personId: string): Promise<readonly SessionRow[]> {
      const { rows } = await sql<SessionRow>`
        select id, ${instant('started_at')}, ${instant('coalesce(last_used_at, started_at)', 'used_at')}, ${instant('expires_at')},
          user_agent, network
        from identity.session_families
        where person_id = ${personId} and revoked_at is null and expires_at > ${now()}::timestamptz
        order by coalesce(last_used_at, session_families.started_at) desc, id limit 200`.execute(db)
      return rows
    },

    /** Ends one session of a person; false when they have none with this id. */
    async end(personId: string, session: string): Promise<boolean> {
      const { rows } = await sql`
        update identity.session_families set revoked_at = coalesce(revoked_at, ${now()}::timestamptz)
        where id = ${session} and person_id = ${personId} returning 1`.execute(db)
      return rows.length > 0
    },

    /** Ends every session of a person but this one, and every API key and link for a new password; answers how many sessions ended. */
    endOthers(personId: string, session: string): Promise<number> {
      return db.transaction().execute(async (tx) => {
        const { numAffectedRows } = await sql`
          update identity.session_families set revoked_at = ${now()}::timestamptz
          where person_id = ${personId} and id <> ${session} and revoked_at is null
            and expires_at > ${now()}::timestamptz`.execute(tx)
        await sql`select identity.end_keys(${personId})`.execute(tx)
        return Number(numAffectedRows ?? 0)
      })
    },

    /**
     * A new pair of tokens. 4 when the token is too old, 5 when it is unknown, was used before or was revoked. Reuse of a token
     * ends its session, unless both uses were concurrent, as when two tabs refresh together: then only the second is refused.
     */
    async refresh(token: string, isLocal = false): Promise<Signed> {
      const hash = hashToken(token)
      const seen = await familyOf(hash)
      const signed = await db.transaction().execute((tx) => useOnce(hash, isLocal, tx))
      if (signed !== null) return signed
      const stale = await familyOf(hash)
      if (stale === null || seen === null) throw refused(5)
      if (seen.used && !stale.revoked) await revoke(stale.family)
      throw refused(stale.expired && !stale.used && !stale.revoked ? 4 : 5)
    },

    /** Ends the session of a refresh token; an unknown token is no error, because its session has ended already. */
    async signOut(token: string): Promise<void> {
      const session = await familyOf(hashToken(token))
      if (session !== null) await revoke(session.family)
    },

    /** Tokens for another space in the same session, ending with it; the caller has checked the right to the space. */
    async switchTo(person: PersonRecord, spaceId: string, session: string): Promise<Signed> {
      const { rows } = await sql<{ started_at: Date }>`
        select started_at from identity.session_families where id = ${session}`.execute(db)
      const startedAt = rows[0]?.started_at.toISOString()
      if (startedAt === undefined) throw refused(401)
      return issue(person, spaceId, { id: session, startedAt })
    },

    /**
     * Ends every session of a person, as a suspension does. A changed password or role does so automatically (migration 0150).
     */
    async endAll(personId: string): Promise<void> {
      await sql`
        with person as (update identity.people set token_version = token_version + 1 where id = ${personId} returning id)
        update identity.session_families f set revoked_at = ${now()}::timestamptz from person
        where person_id = person.id and revoked_at is null`.execute(db)
    },

    /** The live ones of these sessions, with the version that their access tokens must have. */
    async living(sessions: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const { rows } = await sql<{ id: string; token_version: number }>`
        select f.id, people.token_version from identity.session_families f join identity.people on people.id = f.person_id
        where f.id = any(${[...sessions]}) and f.revoked_at is null and f.expires_at > ${now()}::timestamptz
          and ${mayEnter(demo)}`.execute(db)
      return new Map(rows.map(({ id, token_version }) => [id, token_version]))
    },

    /** Removes expired rows: sessions with their tokens, and networks not seen for 180 days. */
    async purge(): Promise<void> {
      await sql`delete from identity.session_families where expires_at <= ${now()}::timestamptz`.execute(db)
      await sql`
        delete from identity.sessions s where expires_at <= ${now()}::timestamptz
          or not exists (select 1 from identity.session_families f where f.id = s.family)`.execute(db)
      await sql`delete from identity.known_networks where last_at <= now() - interval '180 days'`.execute(db)
    },
  }
}
export type Sessions = ReturnType<typeof createSessions>
