import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { createTestDatabase, type TestDatabase } from '#test/support/database'
import { createSecondFactor } from './second-factor.ts'

const STEP_MS = 30_000

describe('a second factor', () => {
  let database: TestDatabase
  let db: Kysely<Db>
  let time = 0
  let user = ''
  beforeAll(async () => {
    database = await createTestDatabase()
    db = createKysely(database.pool)
  })
  beforeEach(async () => {
    time = Date.parse('2030-01-01T12:00:00.000Z')
    user = newId()
    await database.pool.query(
      `insert into identity.people (id, whitelabel_id, home_space_id, roles, first_name, last_name, email)
       values ($1, 'dsp', 'nile', '{USER_OWNER}', 'Amina', 'Okafor', $1 || '@nile.example')`,
      [user],
    )
  })
  afterAll(() => database.drop())

  const personal = {
    seal: async (values: readonly string[]) => values.map((value) => `sealed ${value}`),
    open: async (sealed: string) => sealed.replace('sealed ', ''),
  }
  const factor = () => createSecondFactor({ db, personal, now: () => new Date(time).toISOString(), realTime: () => time })
  const codeFor = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30, algorithm: 'SHA1' }).generate({ timestamp: time })
  /** Switches it on, and waits for the next code. */
  async function on() {
    const secret = (await factor().begin(user)) ?? ''
    const codes = (await factor().confirm(user, codeFor(secret))) ?? []
    time += STEP_MS
    return { secret, codes }
  }
  const verify = (code = '') => factor().verify(user, code)

  // covers FP-58
  it('counts once its first code is right, and is not begun again while it is on', async () => {
    const secret = (await factor().begin(user)) ?? ''
    expect(await factor().confirm(user, '000000')).toBeNull()
    expect(await factor().state(user)).toMatchObject({ on: false })
    expect(await verify(codeFor(secret))).toBeNull()
    expect(await factor().confirm(user, codeFor(secret))).toHaveLength(10)
    expect(await factor().state(user)).toEqual({ on: true, recovery_codes_left: 10 })
    expect(await factor().begin(user)).toBeNull()
    const { rows } = await database.pool.query('select secret from identity.second_factors where person_id = $1', [user])
    expect(rows).toEqual([{ secret: `sealed ${secret}` }])
  })

  // covers FP-58
  it('takes each code of the app once, also when it is sent twice at once, and one step early or late', async () => {
    const { secret } = await on()
    const code = codeFor(secret)
    expect(new Set(await Promise.all([verify(code), verify(code)]))).toEqual(new Set(['app', null]))
    time += 2 * STEP_MS
    const late = codeFor(secret)
    time += STEP_MS
    expect([await verify(late), await verify(late)]).toEqual(['app', null])
    time += 3 * STEP_MS
    expect(await verify(late)).toBeNull()
  })

  // covers FP-58
  it('takes each recovery code once, in any case, until new ones replace them', async () => {
    const { codes } = await on()
    const typed = [codes[0], codes[0], codes[1]?.toUpperCase(), codes[2]?.replace('-', ' ')]
    const found = []
    for (const code of typed) found.push(await verify(code))
    expect(found).toEqual(['recovery', null, 'recovery', 'recovery'])
    expect(await factor().state(user)).toMatchObject({ recovery_codes_left: 7 })
    await factor().renewRecoveryCodes(user)
    expect(await verify(codes[3])).toBeNull()
  })

  it('keeps recovery codes under a slow hash, and takes those that were stored under a fast one', async () => {
    const { codes } = await on()
    const fast = (code: string) =>
      createHash('sha256')
        .update(`${user} ${code.replace('-', '')}`)
        .digest('hex')
    const { rows } = await database.pool.query('select code_hash from identity.recovery_codes where person_id = $1', [user])
    const stored = rows.map(({ code_hash }) => code_hash)
    expect(new Set(stored).size).toBe(10)
    expect(codes.map(fast).filter((hash) => stored.includes(hash))).toEqual([])
    const earlier = 'abcde-fghjk'
    await database.pool.query('insert into identity.recovery_codes (person_id, code_hash) values ($1, $2)', [user, fast(earlier)])
    expect([await verify(earlier), await verify(earlier)]).toEqual(['recovery', null])
  })

  it('allows five attempts per challenge, within five minutes', async () => {
    const challenged = { personId: user, tokenVersion: 0 }
    const challenge = await factor().challenge(challenged)
    for (let n = 0; n < 5; n++) expect(await factor().attempt(challenge)).toEqual(challenged)
    expect([await factor().attempt(challenge), await factor().personOf(challenge)]).toEqual([null, null])
    expect(await factor().attempt('forged')).toBeNull()
    const other = await factor().challenge(challenged)
    time += 5 * 60_000
    expect(await factor().attempt(other)).toBeNull()
  })
})
