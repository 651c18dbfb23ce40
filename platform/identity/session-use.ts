import { sql, type Kysely } from 'kysely'
import type { PersonRecord } from '#commands/identity/person'
import type { OwnRight, Role } from '#domain/kit/access'
import { anyOf, isoText, timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { ACCOUNT_ACCESS } from './account-access.ts'
import { mayEnter } from './people.ts'

/** Why sessions ended: their user has too many, or did not use them for longer than the white-label allows. */
export type SessionEnd = 'limit' | 'idle'
export type RecordEnd = (
  person: { readonly id: string; readonly whitelabel_id: string },
  end: { readonly reason: SessionEnd; readonly count: number; readonly network: string },
) => Promise<unknown>

/** Minutes without use after which a session of this user ends; null for no limit. */
export type IdleLimitOf = (person: Pick<PersonRecord, 'roles' | 'whitelabel_id'>) => number | null

export type SessionUseDeps = {
  readonly db: Kysely<Db>
  readonly now: () => string
  /** Whether demo people may have sessions. */
  readonly demo: boolean
  readonly idleLimitOf: IdleLimitOf
  readonly recordEnd: RecordEnd
}

const MINUTE_MS = 60_000
/** How exactly the use of a session is stored, milliseconds: with an idle limit, and without one. */
const USE_MS = { limited: 10_000, unlimited: MINUTE_MS } as const

/** Facts that access tokens of a session must agree with, and the access of its user now. */
export type SessionCheck = {
  readonly version: number
  /** The account that the session acts in; of staff, the house account. */
  readonly account: string
  readonly roles: readonly Role[]
  /** Differences from the roles; those that are over too. */
  readonly rights: readonly OwnRight[]
}

type Used = Pick<PersonRecord, 'roles' | 'whitelabel_id'> & { readonly used_at: string }

/** Whether sessions live, and when they were last used (fine print 79). */
export function createSessionUse({ db, now, demo, idleLimitOf, recordEnd }: SessionUseDeps) {
  const sinceUse = ({ used_at }: Pick<Used, 'used_at'>): number => Date.parse(now()) - Date.parse(used_at)

  const isIdle = (session: Used): boolean => {
    const minutes = idleLimitOf(session)
    return minutes !== null && sinceUse(session) > minutes * MINUTE_MS
  }

  /** Sessions that neither ended nor expired, of people who may act in their account; idle ones too. */
  const open = (sessions: readonly string[]) =>
    db
      .selectFrom('identity.session_families as f')
      .innerJoin('identity.people as people', 'people.id', 'f.person_id')
      .innerJoin(ACCOUNT_ACCESS.as('a'), (join) =>
        join
          .onRef('a.person_id', '=', 'people.id')
          .on((eb) => eb('a.space_id', '=', eb.fn.coalesce('f.space_id', 'people.home_space_id'))),
      )
      .select((eb) => [
        'f.id',
        'f.person_id',
        'f.network',
        isoText(eb.fn.coalesce('f.last_used_at', 'f.started_at')).as('used_at'),
        'a.space_id as account',
        'a.roles',
        'a.rights',
        'people.whitelabel_id',
        'people.token_version',
      ])
      .where('f.id', '=', anyOf(sessions))
      .where('f.revoked_at', 'is', null)
      .where('f.expires_at', '>', timestamptz(now()))
      .where(mayEnter(demo))
      .execute()

  /** Ends an idle session for good: a higher limit does not bring it back. */
  async function endIdle(session: {
    readonly id: string
    readonly person_id: string
    readonly whitelabel_id: string
    readonly network: string | null
  }): Promise<void> {
    const { numUpdatedRows } = await db
      .updateTable('identity.session_families')
      .set({ revoked_at: now() })
      .where('id', '=', session.id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    const { person_id: id, whitelabel_id, network } = session
    if (numUpdatedRows > 0n) await recordEnd({ id, whitelabel_id }, { reason: 'idle', count: 1, network: network ?? '' })
  }

  /** Stores the use of a session, unless it is stored exactly enough. Never waits: whatever holds the row stores a use or an end. */
  async function touch(session: Used & { readonly id: string }): Promise<void> {
    const exact = idleLimitOf(session) === null ? USE_MS.unlimited : USE_MS.limited
    if (sinceUse(session) < exact) return
    await sql`
      update identity.session_families set last_used_at = ${now()}::timestamptz where id = (
        select id from identity.session_families where id = ${session.id} and revoked_at is null for update skip locked)`.execute(
      db,
    )
  }

  /**
   * Facts that calls with a session need; null when it has ended. `unattended` calls, which a page sends by itself, are no use of
   * it.
   */
  async function check(id: string, { unattended = false }: { readonly unattended?: boolean } = {}): Promise<SessionCheck | null> {
    const [session] = await open([id])
    if (session === undefined) return null
    if (isIdle(session)) {
      await endIdle(session)
      return null
    }
    if (!unattended) await touch(session)
    return checkOf(session)
  }

  /** The live ones of these sessions. No use of them. */
  async function living(sessions: readonly string[]): Promise<ReadonlyMap<string, SessionCheck>> {
    const live = (await open(sessions)).filter((session) => !isIdle(session))
    return new Map(live.map((session) => [session.id, checkOf(session)]))
  }

  return { isIdle, endIdle, check, living }
}

const checkOf = ({
  token_version,
  account,
  roles,
  rights,
}: Omit<SessionCheck, 'version'> & Pick<PersonRecord, 'token_version'>): SessionCheck => ({
  version: token_version,
  account,
  roles,
  rights,
})
