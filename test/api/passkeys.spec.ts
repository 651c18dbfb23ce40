import { generateKeyPairSync } from 'node:crypto'
import { request } from 'node:http'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERASERS } from '#api/areas/index'
import { createKysely, createPool } from '#platform/database/pool'
import { erasePerson } from '#platform/identity/erasure'
import { createPasskeyStore } from '#platform/identity/passkey-store'
import { createPeople } from '#platform/identity/people'
import { newId } from '#platform/ids'
import { createAuthenticator, type CreationOptions, type Deviations } from '../support/authenticator.ts'
import { eventually, PASSWORD, sessionOf, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Tokens = {
  readonly access_token: string
  readonly challenge?: string
  readonly passkey?: boolean
  readonly errors?: readonly { readonly path: string; readonly key?: string }[]
}
type Options = {
  readonly rpId: string
  readonly challenge: string
  readonly allowCredentials: readonly { readonly id: string }[]
  readonly userVerification: string
}
type Passkey = {
  readonly id: string
  readonly name: string
  readonly host: string
  readonly backed_up: boolean
  readonly used_at: string | null
}

let product: TestProduct
let port = ''
beforeAll(async () => {
  product = await startTestProduct()
  port = new URL(product.base).port
})
afterAll(() => product.stop())

/** A browser knows the product by name, since no address has passkeys. */
const device = (host = 'localhost', options?: { readonly counts: boolean }) =>
  createAuthenticator(`http://${host}:${port}`, options)

type Sent = {
  readonly status: number
  readonly code: number
  readonly data: Tokens & Options
  readonly cookies: readonly string[]
}
/** Sends to a host of the product. */
function send(path: string, body: object, { host = 'localhost', at = port, more = {} } = {}) {
  const text = JSON.stringify(body)
  const headers = {
    host: `${host}:${at}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...more,
  }
  return new Promise<Sent>((resolve, reject) => {
    request({ port: at, host: '127.0.0.1', path, headers, method: 'POST' }, (response) => {
      let answer = ''
      response.on('data', (chunk: Buffer) => (answer += chunk.toString()))
      response.on('end', () => {
        const { type, data }: { type: { code: number }; data: Tokens & Options } = JSON.parse(answer)
        const cookies = response.headers['set-cookie'] ?? []
        resolve({ status: response.statusCode ?? 0, code: type.code, data, cookies })
      })
    })
      .on('error', reject)
      .end(text)
  })
}

type User = { readonly id: string; readonly email: string; readonly session: Session }

/** A user of their own, so that tests do not end each other's sessions. */
async function newUser(whitelabel_id = 'dsp'): Promise<User> {
  const id = newId()
  const email = `${id}@nile.example`
  const { rows } = await product.database.pool.query<{ home_space_id: string }>(
    `select home_space_id from identity.people where email = 'ada@nile.example'`,
  )
  await createPeople(createKysely(product.database.pool), { demo: true }).create({
    id,
    whitelabel_id,
    home_space_id: rows[0]?.home_space_id ?? '',
    roles: ['USER_OWNER'],
    first_name: 'Amina',
    last_name: 'Okafor',
    email,
    phone: null,
    password: PASSWORD,
  })
  const host = whitelabel_id === 'dsp' ? 'localhost' : `${whitelabel_id}.localhost`
  return { id, email, session: sessionOf(product.base, (await byPassword(email, PASSWORD, host)).data.access_token) }
}

function byPassword(username: string, password = PASSWORD, host = 'localhost') {
  const body = new URLSearchParams({ grant_type: 'password', username, password }).toString()
  const headers = { host: `${host}:${port}`, 'content-type': 'application/x-www-form-urlencoded' }
  return new Promise<{ readonly status: number; readonly data: Tokens }>((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/v1/oauth/token', headers, method: 'POST' }, (response) => {
      let answer = ''
      response.on('data', (chunk: Buffer) => (answer += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, data: JSON.parse(answer).data }))
    })
      .on('error', reject)
      .end(body)
  })
}

const begin = async ({ session }: Pick<User, 'session'>, body: object = { password: PASSWORD }) =>
  session.call<CreationOptions & { readonly excludeCredentials: readonly { readonly id: string }[]; readonly errors: unknown }>(
    'POST',
    '/v1/user/passkeys/begin',
    body,
  )
const finish = ({ session }: Pick<User, 'session'>, credential: object, name = 'Laptop') =>
  session.call<{ id: string; errors: { key: string }[] }>('POST', '/v1/user/passkeys', { name, credential })
const list = async ({ session }: Pick<User, 'session'>) => (await session.call<Passkey[]>('GET', '/v1/user/passkeys')).data

/** A user with a passkey on a device. */
async function withPasskey(user: User, name = 'Laptop', from = device()) {
  const { held, credential } = from.create((await begin(user)).data)
  const added = await finish(user, credential, name)
  expect(added.code).toBe(0)
  return { user, device: from, held, passkeyId: added.data.id }
}
type WithPasskey = Awaited<ReturnType<typeof withPasskey>>

const options = async (body: object = {}, host?: string) =>
  (await send('/v1/oauth/passkey/begin', body, host === undefined ? {} : { host })).data
/** Signs in by a passkey. */
async function enter({ device: from, held }: Pick<WithPasskey, 'device' | 'held'>, over: Deviations = {}, body: object = {}) {
  const credential = from.get(held, await options(body), over)
  return send('/v1/oauth/passkey', { ...body, credential })
}

const eventsOf = async (id: string, type: string): Promise<number> =>
  (await product.database.pool.query('select 1 from app.security_events where person_id = $1 and type = $2', [id, type]))
    .rowCount ?? 0
const mailsTo = async (id: string, template: string): Promise<number> =>
  (await product.database.pool.query('select 1 from app.mails where person_id = $1 and template = $2', [id, template]))
    .rowCount ?? 0

/** Switches the second factor on; returns a code of the app. */
async function switchOn({ session }: User): Promise<string[]> {
  const begun = await session.call<{ secret: string }>('POST', '/v1/user/second-factor/begin', { password: PASSWORD })
  const totp = new TOTP({ secret: Secret.fromBase32(begun.data.secret), digits: 6, period: 30, algorithm: 'SHA1' })
  const code = totp.generate({ timestamp: Date.now() })
  return (await session.call<{ recovery_codes: string[] }>('POST', '/v1/user/second-factor/confirm', { code })).data
    .recovery_codes
}

describe('a passkey', () => {
  // covers FP-78
  it('signs in without a password, as often as its user wants', async () => {
    const made = await withPasskey(await newUser())
    const first = await enter(made)
    expect([first.status, first.code]).toEqual([200, 0])
    const me = await sessionOf(product.base, first.data.access_token).call<{ id: string }>('GET', '/v1/user/me')
    expect(me.data.id).toBe(made.user.id)
    expect((await enter(made)).status).toBe(200)
    expect(await list(made.user)).toMatchObject([{ name: 'Laptop', host: 'localhost', backed_up: false }])
    expect((await list(made.user))[0]?.used_at).not.toBeNull()
  })

  it('a passkey is asked for with no name of a user, and with verification of its user', async () => {
    expect(await options()).toMatchObject({ rpId: 'localhost', allowCredentials: [], userVerification: 'required' })
    const user = await newUser()
    const creation = (await begin(user)).data
    expect(creation).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: user.email, displayName: 'Amina Okafor' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    })
  })

  it('signs in whose counter stays zero, because its provider copies it to other devices', async () => {
    const made = await withPasskey(await newUser(), 'Phone', device('localhost', { counts: false }))
    expect((await enter(made)).status).toBe(200)
    expect((await enter(made)).status).toBe(200)
    expect(await list(made.user)).toMatchObject([{ backed_up: true }])
  })

  // covers FP-78
  it('stands for the second factor too', async () => {
    const made = await withPasskey(await newUser())
    await switchOn(made.user)
    expect((await byPassword(made.user.email)).status).toBe(401)
    expect((await enter(made)).status).toBe(200)
  })

  // covers FP-58 FP-78
  it('answers the second step of its own person, and of no other', async () => {
    const [made, other] = [await withPasskey(await newUser()), await withPasskey(await newUser())]
    await switchOn(made.user)
    const { data } = await byPassword(made.user.email)
    expect(data.passkey).toBe(true)
    const { challenge = '' } = data
    expect((await options({ challenge })).allowCredentials.map(({ id }) => id)).toEqual([made.held.id])
    expect((await enter(other, {}, { challenge })).status).toBe(401)
    expect((await enter(made, {}, { challenge })).status).toBe(200)
    // The second step is over.
    for (const ended of [challenge, 'forged']) expect((await send('/v1/oauth/passkey/begin', { challenge: ended })).code).toBe(5)
    const credential = made.device.get(made.held, await options())
    expect((await send('/v1/oauth/passkey', { challenge, credential })).code).toBe(5)
  })

  // covers FP-58
  it('a passkey is offered in the second step only to who has one', async () => {
    const user = await newUser()
    await switchOn(user)
    expect((await byPassword(user.email)).data.passkey).toBe(false)
  })

  it('answers no second step whose request it did not get', async () => {
    const made = await withPasskey(await newUser())
    await switchOn(made.user)
    const { challenge = '' } = (await byPassword(made.user.email)).data
    const plain = made.device.get(made.held, await options())
    expect((await send('/v1/oauth/passkey', { challenge, credential: plain })).code).toBe(5)
    const forStep = made.device.get(made.held, await options({ challenge }))
    expect((await send('/v1/oauth/passkey', { credential: forStep })).code).toBe(5)
  })

  it('gives the refresh token in a cookie where the page asks for that', async () => {
    const made = await withPasskey(await newUser())
    const credential = made.device.get(made.held, await options())
    const { data, cookies } = await send('/v1/oauth/passkey', { credential }, { more: { 'x-placard-session': 'cookie' } })
    expect(Object.keys(data).toSorted()).toEqual(['access_token', 'expires_in', 'space_id'])
    expect(cookies).toEqual([expect.stringMatching(/^placard-refresh-\d+=[\w-]{43}; .*HttpOnly; SameSite=Strict$/)])
  })

  it('signs in once by an answer that is sent 30 times at once', async () => {
    const made = await withPasskey(await newUser())
    const credential = made.device.get(made.held, await options())
    const answers = await Promise.all(Array.from({ length: 30 }, () => send('/v1/oauth/passkey', { credential })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    // A network has twenty attempts at a time on a passkey; the others are refused as used up, and none as a copy.
    expect(answers.every(({ status, code }) => status === 200 || code === 5 || status === 429)).toBe(true)
    expect(await eventsOf(made.user.id, 'passkey-copied')).toBe(0)
  })

  it('refuses an answer of another origin', async () => {
    const made = await withPasskey(await newUser())
    expect((await enter(made, { origin: 'http://evil.localhost' })).code).toBe(401)
    expect((await enter(made)).status).toBe(200)
  })

  // covers FP-78
  it('refuses a counter that goes back, and reports the copy', async () => {
    const made = await withPasskey(await newUser())
    expect((await enter(made, { signCount: 7 })).status).toBe(200)
    for (const signCount of [7, 3, 0]) expect((await enter(made, { signCount })).code).toBe(401)
    expect(await eventsOf(made.user.id, 'passkey-copied')).toBe(3)
    // A wrong signature reports nothing: anyone could send it.
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    expect((await enter(made, { signCount: 1, key: privateKey })).code).toBe(401)
    expect(await eventsOf(made.user.id, 'passkey-copied')).toBe(3)
    expect((await enter(made, { signCount: 8 })).status).toBe(200)
  })

  it('a change of a passkey is a security event of its person, which names it', async () => {
    const made = await withPasskey(await newUser())
    await enter(made)
    const events = await made.user.session.call<{ type: string; details: Record<string, unknown> }[]>('GET', '/v1/user/sign-ins')
    expect(events.data[0]).toMatchObject({ type: 'sign-in', details: { by: 'passkey' } })
    expect(events.data[1]).toMatchObject({ type: 'passkey-added', details: { passkey: made.passkeyId } })
  })

  it('a passkey is limited by network, as a password is', async () => {
    const made = await withPasskey(await newUser())
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    for (let n = 0; n < 20; n++) expect((await enter(made, { key: privateKey })).status).toBe(401)
    expect((await enter(made)).status).toBe(429)
    // The password of the same person is not locked by it.
    expect((await byPassword(made.user.email)).status).toBe(200)
  })
})

describe('adding a passkey', () => {
  it('needs the password, and the code while the second factor is on', async () => {
    const user = await newUser()
    expect((await begin(user, { password: 'wrong' })).code).toBe(2)
    const codes = await switchOn(user)
    expect((await begin(user)).code).toBe(2)
    expect((await begin(user, { password: PASSWORD, code: codes[0] })).code).toBe(0)
  })

  // covers FP-73
  it('mails the user, and ends API keys, as removing does', async () => {
    const user = await newUser()
    const makeKey = () =>
      user.session.call('POST', '/v1/user/api-keys', { name: 'CI', scopes: ['read'], days: 30, password: PASSWORD })
    const open = async () =>
      (await user.session.call<{ revoked_at: string | null }[]>('GET', '/v1/user/api-keys')).data.filter(
        ({ revoked_at: at }) => at === null,
      ).length
    await makeKey()
    expect(await open()).toBe(1)
    const { passkeyId } = await withPasskey(user)
    expect([await open(), await mailsTo(user.id, 'passkey-added')]).toEqual([0, 1])
    await makeKey()
    expect((await user.session.call('DELETE', `/v1/user/passkeys/${passkeyId}`)).code).toBe(0)
    expect([await open(), await mailsTo(user.id, 'passkey-removed')]).toEqual([0, 1])
    expect(await eventsOf(user.id, 'passkey-removed')).toBe(1)
  })

  it('takes each request once, and from its own user alone', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const { data } = await begin(user)
    const { credential } = device().create(data)
    expect((await finish(other, credential)).data.errors[0]?.key).toBe('passkey.over')
    const both = await Promise.all(Array.from({ length: 30 }, () => finish(user, device().create(data).credential)))
    expect(both.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await list(user)).toHaveLength(1)
    // A request to sign in adds nothing.
    const { credential: confused } = device().create({ ...data, challenge: (await options()).challenge })
    expect((await finish(user, confused)).data.errors[0]?.key).toBe('passkey.over')
  })

  it('refuses an answer of another origin, and adds nothing', async () => {
    const user = await newUser()
    const { credential } = device().create((await begin(user)).data, { origin: 'http://evil.localhost' })
    expect((await finish(user, credential)).data.errors[0]?.key).toBe('passkey.wrong')
    expect(await list(user)).toEqual([])
  })

  it('refuses a passkey that is stored already, also of another person', async () => {
    const made = await withPasskey(await newUser())
    const other = await newUser()
    const { rows } = await product.database.pool.query<{ credential_id: string }>(
      'select credential_id from identity.passkeys where id = $1',
      [made.passkeyId],
    )
    expect(rows[0]?.credential_id).toBe(made.held.id)
    expect((await begin(made.user)).data.excludeCredentials.map(({ id }) => id)).toEqual([made.held.id])
    const { credential, held } = device().create((await begin(other)).data)
    await product.database.pool.query('update identity.passkeys set credential_id = $1 where id = $2', [held.id, made.passkeyId])
    expect((await finish(other, credential)).data.errors[0]?.key).toBe('passkey.taken')
  })

  // covers FP-78
  it('adds at most 20, however many come at once', async () => {
    const user = await newUser()
    await product.database.pool.query(
      `insert into identity.passkeys (id, person_id, rp_id, credential_id, public_key, sign_count, transports, backed_up, name, created_at)
       select $1 || n, $1, 'localhost', $1 || n, '', 0, '{}', false, 'No. ' || n, now() from generate_series(1, 19) n`,
      [user.id],
    )
    const { rows } = await product.database.pool.query<{ token_version: number }>(
      'select token_version from identity.people where id = $1',
      [user.id],
    )
    // Past the limit of calls of an account that are worked on at once.
    const pool = createPool(product.database.url, { max: 4, applicationName: 'placard-test' })
    const db = createKysely(pool)
    const store = createPasskeyStore(db, () => new Date().toISOString())
    const addOne = (n: number) =>
      db.transaction().execute(async (tx) => {
        const wanted = { id: newId(), personId: user.id, rpId: 'localhost', name: `At once ${n}` }
        const credential = { credentialId: newId(), publicKey: new Uint8Array(), signCount: 0, backedUp: false, transports: [] }
        const added = await store.add(wanted, rows[0]?.token_version ?? 0, credential, tx)
        await new Promise((resolve) => setTimeout(resolve, 20))
        return added
      })
    const both = await Promise.all([1, 2, 3, 4].map(addOne))
    await pool.end()
    expect(both.toSorted()).toEqual(['added', 'full', 'full', 'full'])
    const { credential } = device().create((await begin(user)).data)
    expect((await finish(user, credential)).data.errors[0]?.key).toBe('passkey.full')
    expect(await list(user)).toHaveLength(20)
  })

  it('refuses a request from before a change of the password', async () => {
    const user = await newUser()
    const { credential } = device().create((await begin(user)).data)
    const passwords = { oldPassword: PASSWORD, newPassword: 'Quiet#River7' }
    const changed = await user.session.call<Tokens>('POST', '/v1/user/change-password', passwords)
    const session = sessionOf(product.base, changed.data.access_token)
    expect((await finish({ session }, credential)).data.errors[0]?.key).toBe('passkey.over')
  })
})

describe('the passkeys of a user', () => {
  it('the passkeys of a user are renamed and removed by their user alone', async () => {
    const [made, other] = [await withPasskey(await newUser()), await newUser()]
    const path = `/v1/user/passkeys/${made.passkeyId}`
    expect((await other.session.call('PUT', path, { name: 'Mine' })).code).toBe(131)
    expect((await other.session.call('DELETE', path)).code).toBe(131)
    expect((await made.user.session.call('PUT', path, { name: ' Work laptop ' })).code).toBe(0)
    expect(await list(made.user)).toMatchObject([{ name: 'Work laptop' }])
    expect((await made.user.session.call('DELETE', path)).code).toBe(0)
    expect(await list(made.user)).toEqual([])
    expect((await enter(made)).code).toBe(401)
    expect((await byPassword(made.user.email)).status).toBe(200)
  })

  // covers FP-78
  it('the passkeys of a user stay when the password changes', async () => {
    const made = await withPasskey(await newUser())
    const passwords = { oldPassword: PASSWORD, newPassword: 'Quiet#River7' }
    expect((await made.user.session.call('POST', '/v1/user/change-password', passwords)).code).toBe(0)
    expect((await enter(made)).status).toBe(200)
  })

  it.each([
    ['deactivated', 'update identity.people set deactivated = true where id = $1'],
    ['suspended', 'update identity.people set suspended = true where id = $1'],
    ['not active', 'update identity.people set status_key = 3 where id = $1'],
  ])('the passkeys of a user open nothing for a user who is %s', async (_state, statement) => {
    const made = await withPasskey(await newUser())
    await product.database.pool.query(statement, [made.user.id])
    expect((await enter(made)).code).toBe(401)
  })

  it('the passkeys of a user open nothing while the white-label is suspended', async () => {
    const made = await withPasskey(await newUser('ng'), 'Laptop', device('ng.localhost'))
    const sign = async () => {
      const credential = made.device.get(made.held, await options({}, 'ng.localhost'))
      return (await send('/v1/oauth/passkey', { credential }, { host: 'ng.localhost' })).status
    }
    expect(await sign()).toBe(200)
    const admin = await product.as('admin@dsp.example')
    expect((await admin.call('POST', '/v1/whitelabel/ng/suspend', { reason: 'unpaid' })).code).toBe(0)
    await eventually(sign, (status) => status === 401)
    expect((await admin.call('POST', '/v1/whitelabel/ng/restore')).code).toBe(0)
    await eventually(sign, (status) => status === 200)
  })

  it('the passkeys of a user are gone with their person', async () => {
    const made = await withPasskey(await newUser())
    await erasePerson(createKysely(product.database.pool), made.user.id, ERASERS)
    const left = await product.database.pool.query('select 1 from identity.passkeys where person_id = $1', [made.user.id])
    expect(left.rowCount).toBe(0)
    expect((await enter(made)).code).toBe(401)
  })
})

describe('a passkey of one white-label', () => {
  // covers FP-78
  it('never works on the host of another', async () => {
    const made = await withPasskey(await newUser('ng'), 'Laptop', device('ng.localhost'))
    expect(await list(made.user)).toMatchObject([{ host: 'ng.localhost' }])
    const attempt = async (host: string, over: Deviations = {}, from = made.device) => {
      const credential = from.get(made.held, await options({}, host), over)
      return (await send('/v1/oauth/passkey', { credential }, { host })).code
    }
    expect(await attempt('ng.localhost')).toBe(0)
    expect(await attempt('localhost')).toBe(401)
    expect(await attempt('localhost', { rpId: 'localhost' }, device('localhost'))).toBe(401)
    // A page of a white-label may ask for passkeys of the host above it: its origin gives it away.
    const own = await withPasskey(await newUser())
    expect((await enter(own, { origin: `http://ng.localhost:${port}` })).code).toBe(401)
    // A request of one host is worth nothing on another.
    const credential = made.device.get(made.held, await options({}, 'localhost'), { rpId: 'ng.localhost' })
    expect((await send('/v1/oauth/passkey', { credential }, { host: 'ng.localhost' })).code).toBe(5)
  })

  it('a passkey of one white-label has its host below the public one, whatever the request calls it', async () => {
    const served = await startTestProduct({ PLACARD_PUBLIC_URL: 'https://ads.example' })
    const hostFor = async (host: string) =>
      (await send('/v1/oauth/passkey/begin', {}, { host, at: new URL(served.base).port })).data.rpId
    try {
      expect(await hostFor('ads.example')).toBe('ads.example')
      expect(await hostFor('ng.ads.example')).toBe('ng.ads.example')
      expect(await hostFor('127.0.0.1')).toBe('ads.example')
    } finally {
      await served.stop()
    }
  })
})
