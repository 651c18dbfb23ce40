import { sql, type Kysely } from 'kysely'
import { refused } from '../refused.ts'
import { actorOf, type People, type PersonRecord } from './people.ts'
import { ACCESS_SECONDS, hashToken, newRefreshToken, REFRESH_DAYS, type Tokens } from './tokens.ts'

/** What signing in, refreshing and switching answer (platform.md §3). */
export type Signed = {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly space_id: string
}

export type SessionDeps = {
  readonly db: Kysely<never>
  readonly people: People
  readonly tokens: Tokens
  readonly now: () => string
  readonly newId: () => string
}

/** Sessions: families of refresh tokens, each used once. A token used again ends its whole family: someone has stolen it. */
export function createSessions({ db, people, tokens, now, newId }: SessionDeps) {
  async function issue(person: PersonRecord, spaceId: string, family: string): Promise<Signed> {
    const refresh = newRefreshToken()
    await sql`
      insert into identity.sessions (token_hash, family, person_id, space_id, expires_at)
      values (${hashToken(refresh)}, ${family}, ${person.id}, ${spaceId}, ${now()}::timestamptz + ${`${REFRESH_DAYS} days`}::interval)`.execute(
      db,
    )
    const access = await tokens.sign(actorOf(person, spaceId), person.token_version)
    return { access_token: access, refresh_token: refresh, expires_in: ACCESS_SECONDS, space_id: spaceId }
  }

  type Row = { family: string; person_id: string; space_id: string; expired: boolean; used: boolean; revoked: boolean }
  const revoke = (family: string) =>
    sql`update identity.sessions set revoked_at = ${now()}::timestamptz where family = ${family} and revoked_at is null`.execute(
      db,
    )

  return {
    signIn: (person: PersonRecord): Promise<Signed> => issue(person, person.home_space_id, newId()),

    /** 4 when the token is too old, 5 when it is not ours, was used before or was revoked. */
    async refresh(token: string): Promise<Signed> {
      const hash = hashToken(token)
      // One statement marks the token used: of two requests that bring it at once, one finds it fresh.
      const claimed = await sql<Row>`
        update identity.sessions set used_at = ${now()}::timestamptz
        where token_hash = ${hash} and used_at is null and revoked_at is null and expires_at > ${now()}::timestamptz
        returning family, person_id, space_id, false as expired, false as used, false as revoked`.execute(db)
      const fresh = claimed.rows[0]
      if (fresh !== undefined) {
        const person = await people.find(fresh.person_id)
        if (person === null) throw refused(5)
        return issue(person, fresh.space_id, fresh.family)
      }
      const { rows } = await sql<Row>`
        select family, person_id, space_id, expires_at <= ${now()}::timestamptz as expired, used_at is not null as used,
               revoked_at is not null as revoked
        from identity.sessions where token_hash = ${hash}`.execute(db)
      const stale = rows[0]
      if (stale === undefined) throw refused(5)
      if (stale.used && !stale.revoked) await revoke(stale.family)
      throw refused(stale.expired && !stale.used && !stale.revoked ? 4 : 5)
    },

    /** Ends the family of a token; an unknown token is no error, it has ended already. */
    async signOut(token: string): Promise<void> {
      const { rows } = await sql<{
        family: string
      }>`select family from identity.sessions where token_hash = ${hashToken(token)}`.execute(db)
      if (rows[0]) await revoke(rows[0].family)
    },

    /** A new family in another space; the caller has checked the right to be there. */
    switchTo: (person: PersonRecord, spaceId: string): Promise<Signed> => issue(person, spaceId, newId()),
  }
}
export type Sessions = ReturnType<typeof createSessions>
