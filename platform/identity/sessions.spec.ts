import { ERASERS } from '#api/areas/index'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPeople } from './people.ts'
import { createSessions, type Signed } from './sessions.ts'
import type { IdleLimitOf, RecordEnd } from './session-use.ts'
import { givenKeys } from './signing-keys.ts'
import { createTokens } from '#commands/identity/tokens'
import { Refused } from '#commands/refused'
import { erasePerson } from './erasure.ts'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { createTestDatabase, untilBlocked, type TestDatabase } from '#test/support/database'
import { eventually } from '#test/support/product'

const DAY = 86_400_000
const START = Date.parse('2026-03-01T00:00:00Z')

describe('a session', () => {
  let database: TestDatabase
  let id: string
  let time = START
  /** Minutes, of staff. */
  let idleLimit: number | null = null
  /** Ends that were recorded. */
  const ends: [string, Parameters<RecordEnd>[1]][] = []
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    time = START
    ends.length = 0
    idleLimit = null
    id = newId()
    await create('USER_OWNER')
  })

  async function create(role: 'USER_OWNER' | 'WL_MODERATOR') {
    const { people } = parts()
    await people.create({
      id,
      whitelabel_id: 'dsp',
      home_space_id: 'home',
      roles: [role],
      first_name: 'A',
      last_name: 'B',
      email: `${id}@x.example`,
      phone: null,
      password: 'secret',
    })
  }

  function parts() {
    const db = createKysely(database.pool)
    const people = createPeople(db, { demo: false })
    const tokens = createTokens(givenKeys([Buffer.alloc(32, 7)]), () => time)
    const now = () => new Date(time).toISOString()
    const idleLimitOf: IdleLimitOf = ({ roles }) => (roles.includes('WL_MODERATOR') ? idleLimit : null)
    const recordEnd: RecordEnd = async (person, end) => ends.push([person.id, end])
    return {
      db,
      people,
      tokens,
      sessions: createSessions({ db, tokens, now, newId, demo: false, recordEnd, idleLimitOf, isOutside: () => false }),
    }
  }
  async function person() {
    const found = await parts().people.find(id)
    if (found === null) throw new Error('the person is missing')
    return found
  }
  const codeOf = async (work: Promise<unknown>) =>
    work.then(
      () => 0,
      (error: unknown) => (error instanceof Refused ? error.rejection.code : error),
    )
  const sessionIn = async ({ access_token }: Signed) => (await parts().tokens.read(access_token))?.session ?? ''
  const lives = async (signed: Signed) => (await parts().sessions.living([await sessionIn(signed)])).size === 1
  const rows = async (table: string) => {
    const { rows } = await database.pool.query(`select 1 from identity.${table} where person_id = $1`, [id])
    return rows.length
  }

  // covers FP-44
  it('ends 90 days after the sign-in, regardless of refreshes', async () => {
    const { sessions } = parts()
    let signed = await sessions.signIn(await person())
    for (let day = 20; day <= 80; day += 20) {
      time = START + day * DAY
      signed = await sessions.refresh(signed.refresh_token)
      expect(signed.expires_in).toBe(3600)
    }
    time = START + 90 * DAY - 60_000
    signed = await sessions.refresh(signed.refresh_token)
    expect(signed.expires_in).toBe(60)
    expect(await lives(signed)).toBe(true)
    time = START + 90 * DAY
    expect(await lives(signed)).toBe(false)
    expect(await codeOf(sessions.refresh(signed.refresh_token))).toBe(4)
  })

  it('ends 90 days after the sign-in, regardless of account switches', async () => {
    const { sessions } = parts()
    // Staff act in any account.
    await database.pool.query(`update identity.people set roles = '{WL_OWNER}' where id = $1`, [id])
    let signed = await sessions.signIn(await person())
    for (let day = 20; day <= 80; day += 20) {
      time = START + day * DAY
      signed = await sessions.refresh(signed.refresh_token)
      const switched = await sessions.switchTo(await person(), `space ${day}`, await sessionIn(signed))
      if (!('refresh_token' in switched)) throw new Error('a switch answered no refresh token')
      signed = switched
      expect(signed.space_id).toBe(`space ${day}`)
    }
    time = START + 90 * DAY
    expect(await lives(signed)).toBe(false)
    expect(await codeOf(sessions.refresh(signed.refresh_token))).toBe(4)
  })

  // covers FP-44
  it('a session is deleted with its rows after it expired', async () => {
    const { sessions } = parts()
    const first = await sessions.signIn(await person())
    time += 5 * DAY
    const second = await sessions.signIn(await person())
    await sessions.refresh(first.refresh_token)
    time = START + 34 * DAY
    await sessions.purge()
    expect([await rows('session_families'), await rows('sessions')]).toEqual([2, 2])
    time = START + 36 * DAY
    await sessions.purge()
    expect([await rows('session_families'), await rows('sessions')]).toEqual([0, 0])
    expect(await codeOf(sessions.refresh(second.refresh_token))).toBe(5)
  })

  // covers FP-44
  it('ends with the suspension of the user', async () => {
    const { sessions } = parts()
    const signed = [await sessions.signIn(await person()), await sessions.signIn(await person())]
    const before = (await person()).token_version
    await sessions.endAll(id)
    for (const one of signed) expect([await lives(one), await codeOf(sessions.refresh(one.refresh_token))]).toEqual([false, 5])
    expect((await person()).token_version).toBe(before + 1)
  })

  // covers FP-22
  it('ends with the erasure of the user', async () => {
    const { sessions, people, db } = parts()
    const signed = await sessions.signIn(await person())
    await people.rememberNetwork(id, 'network')
    await erasePerson(db, id, ERASERS)
    expect([await lives(signed), await rows('session_families'), await rows('known_networks')]).toEqual([false, 0, 0])
  })

  it('goes on when two tabs refresh it at once: one gets new tokens, the other is refused', async () => {
    const { sessions } = parts()
    const signed = await sessions.signIn(await person())
    // Held back until both have read the token as unused.
    const writer = await database.pool.connect()
    await writer.query('begin')
    await writer.query('select 1 from identity.sessions where person_id = $1 for update', [id])
    const tabs = [1, 2].map(() => sessions.refresh(signed.refresh_token))
    const codes = Promise.all(tabs.map(codeOf))
    const waiting = `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await eventually(
      async () => (await database.pool.query<{ n: number }>(waiting)).rows[0]?.n,
      (n) => n === 2,
    )
    await writer.query('commit')
    writer.release()
    expect(new Set(await codes)).toEqual(new Set([0, 5]))
    const [kept] = (await Promise.allSettled(tabs)).flatMap((tab) => (tab.status === 'fulfilled' ? [tab.value] : []))
    expect(await lives(signed)).toBe(true)
    expect(await codeOf(sessions.refresh(kept?.refresh_token ?? ''))).toBe(0)
  })

  describe('sessions with the token in a cookie', () => {
    // covers FP-90
    it('answers an access token alone for ten seconds after the token was used, then it ends', async () => {
      const { sessions } = parts()
      const signed = await sessions.signIn(await person())
      const next = await sessions.refreshShared(signed.refresh_token)
      expect(next).toHaveProperty('refresh_token')
      time += 9_999
      const again = await sessions.refreshShared(signed.refresh_token)
      expect(again).toEqual({ access_token: expect.any(String), expires_in: 3600, space_id: 'home' })
      expect((await parts().tokens.read(again.access_token))?.session).toBe(await sessionIn(signed))
      time += 1
      expect(await codeOf(sessions.refreshShared(signed.refresh_token))).toBe(5)
      expect(await lives(signed)).toBe(false)
    })

    it('answers none once the session has ended, or for a token that travels in the body', async () => {
      const { sessions } = parts()
      const ended = await sessions.signIn(await person())
      await sessions.refreshShared(ended.refresh_token)
      await sessions.end(id, await sessionIn(ended))
      expect(await codeOf(sessions.refreshShared(ended.refresh_token))).toBe(5)
      const inBody = await sessions.signIn(await person())
      await sessions.refresh(inBody.refresh_token)
      expect([await codeOf(sessions.refresh(inBody.refresh_token)), await lives(inBody)]).toEqual([5, false])
    })
  })

  // covers FP-79
  it('a session is one of at most 20 of its user: further sign-ins end the ones that were used longest ago', async () => {
    const { sessions } = parts()
    const first = await sessions.signIn(await person())
    time += 1000
    const used = await sessions.signIn(await person())
    for (let i = 0; i < 10; i++) await sessions.signIn(await person())
    time += 1000
    await sessions.refresh(used.refresh_token)
    await Promise.all(Array.from({ length: 30 }, async () => sessions.signIn(await person())))
    expect(await sessions.list(id)).toHaveLength(20)
    expect(await lives(first)).toBe(false)
    const ended = ends.map(([of, { reason, count }]) => ({ of, reason, count }))
    expect(new Set(ended.map(({ of, reason }) => `${of} ${reason}`))).toEqual(new Set([`${id} limit`]))
    // Each end is counted once, also by sign-ins that end the same session at once.
    expect(ended.reduce((sum, { count }) => sum + count, 0)).toBe(22)
  })

  it('ends by one change of its user at a time: sign-ins and "end all others" never wait for one another in a circle', async () => {
    const { sessions } = parts()
    for (let i = 0; i < 20; i++) await sessions.signIn(await person())
    const held = await database.pool.connect()
    await held.query('begin')
    await held.query('select 1 from identity.session_families where person_id = $1 for update', [id])
    const seen = async (count: number) =>
      eventually(
        async () => (await database.pool.query<{ waiting: number; changing: number }>(waiting)).rows[0],
        (row) => row?.waiting === count,
      )
    const waiting = `select count(distinct w.pid)::int as waiting,
        count(distinct w.pid) filter (where t.relation is not null)::int as changing
      from pg_stat_activity w left join pg_locks t
        on t.pid = w.pid and t.relation = 'identity.session_families'::regclass and t.mode = 'RowExclusiveLock'
      where w.datname = current_database() and w.wait_event_type = 'Lock'`
    const signIn = sessions.signIn(await person())
    await seen(1)
    const endings = Array.from({ length: 3 }, () => sessions.endOthers(id, ''))
    const last = await seen(4)
    await held.query('commit')
    held.release()
    expect(last?.changing).toBe(1)
    await Promise.all([signIn, ...endings])
    expect((await sessions.list(id)).length).toBeLessThanOrEqual(20)
  })

  it('a session beyond the limit ends a session that was used longest ago, not the one that started first', async () => {
    const { sessions } = parts()
    const first = await sessions.signIn(await person())
    time += 1000
    const second = await sessions.signIn(await person())
    for (let i = 0; i < 18; i++) await sessions.signIn(await person())
    time += 1000
    await sessions.refresh(first.refresh_token)
    expect(ends).toEqual([])
    await sessions.signIn(await person(), { userAgent: '', address: '', network: '203.0.113.0/24', isLocal: true })
    expect([await lives(first), await lives(second)]).toEqual([true, false])
    expect(ends).toEqual([[id, { reason: 'limit', count: 1, network: '203.0.113.0/24' }]])
  })

  describe('sessions without use', () => {
    const MINUTE = 60_000
    /** Access tokens live for an hour, so tests ask by the session's id. */
    let session = ''
    async function signedIn(role: 'USER_OWNER' | 'WL_MODERATOR') {
      id = newId()
      await create(role)
      idleLimit = 30
      const signed = await parts().sessions.signIn(await person(), {
        userAgent: '',
        address: '',
        network: '203.0.113.0/24',
        isLocal: true,
      })
      session = await sessionIn(signed)
      return signed
    }
    const check = async (unattended = false) => (await parts().sessions.check(session, { unattended })) !== null
    const isLive = async () => (await parts().sessions.living([session])).size === 1
    const IDLE = { reason: 'idle', count: 1, network: '203.0.113.0/24' }

    // covers FP-79
    it('ends for staff after the limit of the white-label, and one of an advertiser goes on', async () => {
      await signedIn('USER_OWNER')
      time += 31 * MINUTE
      expect([await isLive(), await check()]).toEqual([true, true])
      await signedIn('WL_MODERATOR')
      time += 30 * MINUTE
      expect(await isLive()).toBe(true)
      time += 1
      expect([await isLive(), (await parts().sessions.list(id)).length]).toEqual([false, 0])
      expect(await check()).toBe(false)
      expect(ends).toEqual([[id, IDLE]])
    })

    // covers FP-79
    it('a session without use cannot be refreshed, and a higher limit does not bring it back', async () => {
      const { refresh_token } = await signedIn('WL_MODERATOR')
      time += 31 * MINUTE
      expect(await codeOf(parts().sessions.refresh(refresh_token))).toBe(4)
      expect(ends).toEqual([[id, IDLE]])
      idleLimit = null
      expect([await codeOf(parts().sessions.refresh(refresh_token)), await check()]).toEqual([5, false])
      expect(ends).toHaveLength(1)
    })

    it('goes on while it is used, by calls and by refreshes', async () => {
      const { refresh_token } = await signedIn('WL_MODERATOR')
      for (let i = 0; i < 4; i++) {
        time += 29 * MINUTE
        expect(await check()).toBe(true)
      }
      time += 29 * MINUTE
      expect(await codeOf(parts().sessions.refresh(refresh_token))).toBe(0)
      time += 29 * MINUTE
      expect(await isLive()).toBe(true)
    })

    // covers FP-79
    it('ends although its page goes on to ask and to refresh by itself', async () => {
      const { refresh_token } = await signedIn('WL_MODERATOR')
      time += 20 * MINUTE
      expect(await check(true)).toBe(true)
      const refreshed = await parts().sessions.refresh(refresh_token, { unattended: true })
      time += 11 * MINUTE
      expect(await codeOf(parts().sessions.refresh(refreshed.refresh_token, { unattended: true }))).toBe(4)
    })

    it('ends at once where a limit is set that it exceeds', async () => {
      await signedIn('WL_MODERATOR')
      idleLimit = null
      time += DAY
      expect(await isLive()).toBe(true)
      idleLimit = 1440 - 1
      expect([await isLive(), await check()]).toEqual([false, false])
    })
  })

  it('a use is stored once a minute, and never waits for another change of the session', async () => {
    const { sessions } = parts()
    const signed = await sessions.signIn(await person())
    const session = await sessionIn(signed)
    const usedAt = async () => (await sessions.list(id))[0]?.used_at
    const started = await usedAt()
    time += 59_000
    await sessions.check(session)
    expect(await usedAt()).toBe(started)
    time += 1000
    const writer = await database.pool.connect()
    await writer.query('begin')
    await writer.query('select 1 from identity.session_families where id = $1 for update', [session])
    await sessions.check(session)
    await writer.query('commit')
    writer.release()
    expect(await usedAt()).toBe(started)
    await sessions.check(session)
    expect(await usedAt()).toBe(new Date(time).toISOString())
  })

  it('a refresh that races the end of its session fails', async () => {
    const { sessions } = parts()
    const signed = await sessions.signIn(await person())
    const writer = await database.pool.connect()
    await writer.query('begin')
    await writer.query('update identity.session_families set revoked_at = now() where person_id = $1', [id])
    const refreshing = codeOf(sessions.refresh(signed.refresh_token))
    await untilBlocked(database.pool, refreshing)
    await writer.query('commit')
    writer.release()
    expect([await refreshing, await rows('sessions')]).toEqual([5, 1])
  })

  it('a sign-in that races a new password leaves no session', async () => {
    const { sessions } = parts()
    const before = await person()
    const writer = await database.pool.connect()
    await writer.query('begin')
    await writer.query(`update identity.people set password_hash = 'new' where id = $1`, [id])
    const signing = codeOf(sessions.signIn(before))
    await untilBlocked(database.pool, signing)
    await writer.query('commit')
    writer.release()
    expect([await signing, await rows('session_families')]).toEqual([401, 0])
  })

  it('stores at most 50 networks of a user, for 180 days', async () => {
    const { people, sessions } = parts()
    const email = `${id}@x.example`
    for (let i = 0; i < 52; i++) await people.rememberNetwork(id, `network ${i}`)
    expect(await rows('known_networks')).toBe(50)
    expect(await people.knowsNetwork('dsp', email, 'network 0')).toBe(false)
    expect(await people.knowsNetwork('dsp', ` ${email.toUpperCase()}`, 'network 51')).toBe(true)
    await database.pool.query(`update identity.known_networks set last_at = now() - interval '181 days' where person_id = $1`, [
      id,
    ])
    expect(await people.knowsNetwork('dsp', email, 'network 51')).toBe(false)
    await sessions.purge()
    expect(await rows('known_networks')).toBe(0)
  })
})
