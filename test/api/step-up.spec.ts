import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '#api/areas/index'
import { rolesWith, type Action } from '#domain/kit/access'
import type { Endpoint } from '#contract/http'
import { createKysely } from '#platform/database/pool'
import { createPeople } from '#platform/identity/people'
import { newId } from '#platform/ids'
import { createAuthenticator, type CreationOptions, type RequestOptions } from '../support/authenticator.ts'
import { each } from '../support/access-runner.ts'
import { PASSWORD, sessionOf, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

/** Bodies that say everything but a password. */
const BODIES: Readonly<Record<string, object>> = {
  'profile.createApiKey': { name: 'CI', scopes: ['read'], days: 30 },
}

const GUARDED = ENDPOINTS.filter(({ stepUp }) => stepUp !== undefined)

type Refusal = {
  readonly step_up?: { readonly methods: readonly string[] }
  readonly errors: readonly { readonly path: string }[]
}

let product: TestProduct
beforeAll(async () => {
  product = await startTestProduct()
})
afterAll(() => product.stop())

const query = (text: string, values: readonly unknown[]) => product.database.pool.query(text, [...values])
const sidOf = ({ token }: Session): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid

async function tokensOf(username: string, password = PASSWORD) {
  const body = new URLSearchParams({ grant_type: 'password', username, password })
  const response = await fetch(`${product.base}/v1/oauth/token`, { method: 'POST', body })
  const { data }: { data: { access_token: string; refresh_token: string } } = await response.json()
  return data
}
const signIn = async (email: string): Promise<Session> => sessionOf(product.base, (await tokensOf(email)).access_token)

/** As if the user of the session had last proved themself so long ago. */
const proved = (session: Session, minutesAgo: number) =>
  query(`update identity.session_families set proved_at = now() - make_interval(secs => $2) where id = $1`, [
    sidOf(session),
    minutesAgo * 60,
  ])

/** A user of their own, whose session is six minutes old. */
async function newUser(roles: readonly ('USER_OWNER' | 'WL_OWNER')[] = ['USER_OWNER']) {
  const id = newId()
  const email = `${id}@nile.example`
  const like = roles.includes('WL_OWNER') ? 'owner@dsp.example' : 'ada@nile.example'
  const { rows } = await query('select home_space_id from identity.people where email = $1', [like])
  await createPeople(createKysely(product.database.pool), { demo: true }).create({
    id,
    whitelabel_id: 'dsp',
    home_space_id: rows[0].home_space_id,
    roles,
    first_name: 'Amina',
    last_name: 'Okafor',
    email,
    phone: null,
    password: PASSWORD,
  })
  const session = await signIn(email)
  await proved(session, 6)
  return { id, email, session }
}
type User = Awaited<ReturnType<typeof newUser>>

const keyOf = (session: Session, over: object = {}) =>
  session.call<Refusal & { key: string }>('POST', '/v1/user/api-keys', { name: 'CI', scopes: ['read'], days: 30, ...over })
const keysOf = async ({ id }: User): Promise<number> =>
  (await query('select 1 from identity.api_keys where person_id = $1', [id])).rowCount ?? 0
const prove = (session: Session, body: object = { password: PASSWORD }) =>
  session.call<Refusal & { proved_until: string }>('POST', '/v1/user/proof', body)

const factorOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30, algorithm: 'SHA1' })
/** Switches the second factor on, by the password in the body; the session's own proof stays old. */
async function switchOn({ session }: User) {
  const begun = await session.call<{ secret: string }>('POST', '/v1/user/second-factor/begin', { password: PASSWORD })
  const totp = factorOf(begun.data.secret)
  const confirmed = await session.call<{ recovery_codes: string[] }>('POST', '/v1/user/second-factor/confirm', {
    code: totp.generate({ timestamp: Date.now() - 30_000 }),
  })
  return { totp, codes: confirmed.data.recovery_codes }
}

const eventsOf = async ({ id }: User, type: string): Promise<number> =>
  Number(
    (await query('select coalesce(sum(count), 0) as n from app.security_events where person_id = $1 and type = $2', [id, type]))
      .rows[0].n,
  )

/** Sends a guarded call with ids that nothing has. */
function send(session: Session, { id, method, path, body }: Endpoint) {
  const filled = path.replaceAll(/:\w+/g, 'nothing')
  return session.call<Refusal>(method, filled, body === 'json' ? (BODIES[id] ?? {}) : undefined)
}

describe('a call that needs a proof', () => {
  // covers FP-83
  it.each(GUARDED.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s is refused with data.step_up after five minutes, and stores nothing',
    async (_, endpoint) => {
      const right = endpoint.access as Action
      const email = rolesWith(right).includes('WL_OWNER') ? 'owner@dsp.example' : 'admin@dsp.example'
      const session = await signIn(email)
      await proved(session, 5.1)
      const before = await product.stored()
      const refusal = await send(session, endpoint)
      expect([refusal.status, refusal.code, refusal.data.step_up]).toEqual([401, 401, { methods: ['password'] }])
      expect(await product.stored()).toEqual(before)
      await proved(session, 4.5)
      // Nothing has these ids, so it goes on to another refusal, or to an answer.
      const later = await fetch(`${product.base}${endpoint.path.replaceAll(/:\w+/g, 'nothing')}`, {
        method: endpoint.method,
        headers: {
          authorization: `Bearer ${session.token}`,
          ...(endpoint.body === 'json' ? { 'content-type': 'application/json' } : {}),
        },
        ...(endpoint.body === 'json' ? { body: JSON.stringify(BODIES[endpoint.id] ?? {}) } : {}),
      })
      expect(later.status).not.toBe(401)
      await later.arrayBuffer()
    },
  )

  it.each(GUARDED.filter(({ access }) => access !== 'profile.own').map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s answers 403, and no question, to a user without the right',
    async (_, endpoint) => {
      const session = await signIn(
        rolesWith(endpoint.access as Action).includes('USER_OWNER') ? 'moderator@dsp.example' : 'ada@nile.example',
      )
      await proved(session, 6)
      expect((await send(session, endpoint)).code).toBe(3)
    },
  )

  it('says in its documentation that it needs one', async () => {
    const document = await (await fetch(`${product.base}/openapi.json`)).json()
    const operations = Object.values<Record<string, { operationId: string; 'x-step-up'?: string; responses: object }>>(
      document.paths,
    ).flatMap((path) => Object.values(path))
    const marked = operations.filter((operation) => operation['x-step-up'] !== undefined)
    expect(marked.map(({ operationId }) => operationId).toSorted()).toEqual(GUARDED.map(({ id }) => id).toSorted())
    for (const { responses } of marked) expect(JSON.stringify(responses)).toContain('#/components/responses/StepUp')
  })
})

describe('a proof', () => {
  // covers FP-83
  it('the sign-in is a proof for five minutes', async () => {
    const user = await newUser()
    const session = await signIn(user.email)
    expect((await keyOf(session)).code).toBe(0)
    await proved(session, 4.9)
    expect((await keyOf(session)).code).toBe(0)
    await proved(session, 5.1)
    expect((await keyOf(session)).data.step_up).toEqual({ methods: ['password'] })
    expect(await keysOf(user)).toBe(2)
  })

  // covers FP-83
  it('a refresh is no proof, and neither is a switch of the account', async () => {
    const user = await newUser(['WL_OWNER'])
    const { access_token, refresh_token } = await tokensOf(user.email)
    await proved(sessionOf(product.base, access_token), 6)
    const response = await fetch(`${product.base}/v1/oauth/refresh`, {
      method: 'POST',
      body: new URLSearchParams({ refresh_token }),
    })
    const refreshed = sessionOf(product.base, (await response.json()).data.access_token)
    expect((await keyOf(refreshed)).status).toBe(401)
    const { rows } = await query(`select home_space_id as id from identity.people where email = 'ada@nile.example'`, [])
    const switched = await refreshed.call<{ access_token: string }>('POST', `/v1/user/account/switch/${rows[0].id}`)
    expect(switched.code).toBe(0)
    expect((await keyOf(sessionOf(product.base, switched.data.access_token))).status).toBe(401)
  })

  // covers FP-83
  it('a proof by the password is of its session alone, and says how long it holds', async () => {
    const user = await newUser()
    const other = await signIn(user.email)
    await proved(other, 6)
    const answer = await prove(user.session)
    expect(answer.code).toBe(0)
    const left = Date.parse(answer.data.proved_until) - Date.now()
    expect(left).toBeGreaterThan(240_000)
    expect(left).toBeLessThanOrEqual(300_000)
    expect((await keyOf(user.session)).code).toBe(0)
    expect((await keyOf(other)).status).toBe(401)
    expect(await eventsOf(user, 'proved')).toBe(1)
  })

  it('needs a code while the second factor is on', async () => {
    const user = await newUser()
    const { totp, codes } = await switchOn(user)
    expect((await keyOf(user.session)).data.step_up).toEqual({ methods: ['password', 'code'] })
    for (const body of [{ password: PASSWORD }, { password: PASSWORD, code: '000000' }]) {
      const answer = await prove(user.session, body)
      expect([answer.code, answer.data.errors[0]?.path]).toEqual([2, 'code'])
    }
    expect((await keyOf(user.session)).status).toBe(401)
    expect((await prove(user.session, { password: PASSWORD, code: totp.generate() })).code).toBe(0)
    expect((await keyOf(user.session)).code).toBe(0)
    await proved(user.session, 6)
    expect((await prove(user.session, { password: PASSWORD, code: codes[0] })).code).toBe(0)
    expect(
      (await query(`select 1 from app.mails where person_id = $1 and template = 'recovery-code-used'`, [user.id])).rowCount,
    ).toBe(1)
  })

  // covers FP-83
  it('a proof is not asked of a call whose body has the password, as before, and the password is no proof for others', async () => {
    const user = await newUser()
    expect((await keyOf(user.session, { password: 'wrong' })).data.errors[0]?.path).toBe('password')
    expect((await keyOf(user.session, { password: PASSWORD })).code).toBe(0)
    expect((await keyOf(user.session)).status).toBe(401)
    const { codes } = await switchOn(user)
    expect((await keyOf(user.session, { password: PASSWORD })).data.errors[0]?.path).toBe('code')
    expect((await keyOf(user.session, { password: PASSWORD, code: codes[0] })).code).toBe(0)
    // Asked for, the session's proof is enough.
    expect((await prove(user.session, { password: PASSWORD, code: codes[1] })).code).toBe(0)
    const renewed = await user.session.call<{ recovery_codes: string[] }>('POST', '/v1/user/second-factor/recovery-codes', {})
    expect(renewed.data.recovery_codes).toHaveLength(10)
    expect((await user.session.call('POST', '/v1/user/second-factor/remove', {})).code).toBe(0)
    expect((await user.session.call('POST', '/v1/user/second-factor/remove', {})).code).toBe(3)
  })

  it('goes over to the session that a new password starts no further than the code allows', async () => {
    const change = (session: Session, oldPassword: string, newPassword: string) =>
      session.call<{ access_token: string }>('POST', '/v1/user/change-password', { oldPassword, newPassword })
    const plain = await newUser()
    const next = await change(plain.session, PASSWORD, 'Quiet#River7')
    expect((await keyOf(sessionOf(product.base, next.data.access_token))).code).toBe(0)
    const user = await newUser()
    await switchOn(user)
    const later = await change(user.session, PASSWORD, 'Quiet#River7')
    expect(later.code).toBe(0)
    expect((await keyOf(sessionOf(product.base, later.data.access_token))).data.step_up?.methods).toEqual(['password', 'code'])
  })

  it('lets a call through that was refused 30 times at once, and is sent 30 times at once again, which credits once', async () => {
    const owner = await newUser(['WL_OWNER'])
    const { rows } = await query(`select home_space_id as id from identity.people where email = 'bola@lagos.example'`, [])
    const key = newId()
    const credit = () =>
      owner.session.call<Refusal>(
        'POST',
        `/v1/space/${rows[0].id}/credit`,
        { amount: 5, comment: 'Thirty' },
        {
          'idempotency-key': key,
        },
      )
    const credited = async () =>
      (await query(`select 1 from es.events where type = 'FundsCredited' and data ->> 'reason' = 'Thirty'`, [])).rowCount
    const before = await product.stored()
    const refused = await each(Array.from({ length: 30 }), credit, 30)
    expect(refused.map(({ status, data }) => [status, data.step_up?.methods.length])).toEqual(
      Array.from({ length: 30 }, () => [401, 1]),
    )
    expect(await product.stored()).toEqual(before)
    expect((await prove(owner.session)).code).toBe(0)
    const done = await each(Array.from({ length: 30 }), credit, 30)
    expect(new Set(done.map(({ code }) => code))).toEqual(new Set([0]))
    expect(await credited()).toBe(1)
  })

  it('needs a session that is open', async () => {
    const user = await newUser()
    const other = await signIn(user.email)
    await proved(other, 6)
    // The check of the session is still cached, and the end of it is not missed.
    await other.call('GET', '/v1/user/me')
    await query('update identity.session_families set revoked_at = now() where id = $1', [sidOf(other)])
    expect((await prove(other)).status).toBe(401)
    const { rows } = await query(
      "select proved_at < now() - interval '5 minutes' as old from identity.session_families where id = $1",
      [sidOf(other)],
    )
    expect(rows).toEqual([{ old: true }])
  })
})

describe('wrong proofs', () => {
  // covers FP-83
  it('wrong proofs of a stolen session are limited to ten in a quarter of an hour, also when sent at once', async () => {
    const user = await newUser()
    const answers = await each(Array.from({ length: 30 }), () => prove(user.session, { password: 'wrong' }), 30)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
    // The right one is not tried any more either.
    expect((await prove(user.session)).status).toBe(429)
    await expect.poll(() => eventsOf(user, 'proof-failed')).toBeGreaterThan(0)
  })

  it('wrong proofs count as failed sign-ins from their network', async () => {
    const user = await newUser()
    await each(Array.from({ length: 10 }), () => prove(user.session, { password: 'wrong' }))
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) {
      const body = new URLSearchParams({ grant_type: 'password', username: user.email, password: 'wrong' })
      statuses.push((await fetch(`${product.base}/v1/oauth/token`, { method: 'POST', body })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  })

  it('wrong proofs with the right password and wrong codes are mailed to the user', async () => {
    const user = await newUser()
    await switchOn(user)
    const mails = async () =>
      (await query(`select 1 from app.mails where person_id = $1 and template = 'wrong-codes'`, [user.id])).rowCount
    for (let n = 0; n < 2; n++) await prove(user.session, { password: PASSWORD, code: '000000' })
    expect(await mails()).toBe(0)
    for (let n = 0; n < 2; n++) await prove(user.session, { password: PASSWORD, code: '000000' })
    expect(await mails()).toBe(1)
  })
})

describe('a proof by a passkey', () => {
  const device = () => createAuthenticator(`http://localhost:${new URL(product.base).port}`)
  /** A user with a passkey, whose session is six minutes old. */
  async function withPasskey() {
    const user = await newUser()
    const from = device()
    const options = await user.session.call<CreationOptions>('POST', '/v1/user/passkeys/begin', { password: PASSWORD })
    const { held, credential } = from.create(options.data)
    expect((await user.session.call('POST', '/v1/user/passkeys', { name: 'Laptop', credential })).code).toBe(0)
    return { ...user, from, held }
  }
  const begin = (session: Session) =>
    session.call<RequestOptions & { allowCredentials: { id: string }[] }>('POST', '/v1/user/proof/passkey/begin')
  const finish = (session: Session, credential: object) =>
    session.call<Refusal & { proved_until: string }>('POST', '/v1/user/proof/passkey', { credential })

  it('stands for the password and the code', async () => {
    const { session, from, held, ...user } = await withPasskey()
    await switchOn({ ...user, session })
    expect((await keyOf(session)).data.step_up).toEqual({ methods: ['password', 'code', 'passkey'] })
    const options = (await begin(session)).data
    expect(options.allowCredentials.map(({ id }) => id)).toEqual([held.id])
    const answer = await finish(session, from.get(held, options))
    expect(answer.code).toBe(0)
    expect((await keyOf(session)).code).toBe(0)
  })

  it('works once, for its own session, and for what was asked', async () => {
    const made = await withPasskey()
    const other = await signIn(made.email)
    await proved(other, 6)
    const credential = made.from.get(made.held, (await begin(made.session)).data)
    expect((await finish(other, credential)).data.errors[0]?.path).toBe('credential')
    expect((await finish(made.session, credential)).code).toBe(0)
    expect((await finish(made.session, credential)).code).toBe(2)
    // The challenge of a sign-in is none of a proof.
    const { data }: { data: RequestOptions } = await (
      await fetch(`${product.base.replace('127.0.0.1', 'localhost')}/v1/oauth/passkey/begin`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
    ).json()
    expect((await finish(other, made.from.get(made.held, data))).code).toBe(2)
    expect((await keyOf(other)).status).toBe(401)
  })

  it('a proof by a passkey is refused by the passkey of another user', async () => {
    const [made, other] = [await withPasskey(), await withPasskey()]
    const options = (await begin(made.session)).data
    const refused = await finish(made.session, other.from.get(other.held, options))
    expect(refused.data.errors[0]?.path).toBe('credential')
    expect((await keyOf(made.session)).status).toBe(401)
  })
})
