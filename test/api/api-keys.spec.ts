import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKysely } from '#platform/database/pool'
import { createPeople } from '#platform/identity/people'
import { newId } from '#platform/ids'
import { eventually, PASSWORD, sessionOf, signIn, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Made = {
  readonly id: string
  readonly key: string
  readonly created_at: string
  readonly expires_at: string
  readonly replaced_until: string
}
type Row = Omit<Made, 'key'> & {
  readonly name: string
  readonly scopes: readonly string[]
  readonly replaced_at: string | null
  readonly revoked_at: string | null
}
type Answer = {
  readonly type: { readonly code: number }
  readonly data: { readonly access_token?: string }
  readonly access_token?: string
  readonly token_type?: string
  readonly expires_in?: number
  readonly scope?: string
  readonly error?: string
  readonly error_description?: string
}

const KEYS = '/v1/user/api-keys'
const DAY_MS = 86_400_000
const inDays = (days: number, from = Date.now()) => new Date(from + days * DAY_MS).toISOString()

describe('API keys', () => {
  let product: TestProduct
  let owner: Session
  beforeAll(async () => {
    product = await startTestProduct()
    owner = await product.as('owner@dsp.example')
  })
  afterAll(() => product.stop())

  const pool = () => product.database.pool
  /** Statements on keys, with the id of a key or a user. */
  const run = (text: string, ...values: unknown[]) => pool().query(text, values)

  async function newUser() {
    const id = newId()
    const email = `${id}@nile.example`
    const { rows } = await run(`select home_space_id from identity.people where email = 'ada@nile.example'`)
    const person = { id, email, whitelabel_id: 'dsp', home_space_id: rows[0].home_space_id, phone: null, password: PASSWORD }
    await createPeople(createKysely(pool()), { demo: true }).create({
      ...person,
      roles: ['USER_OWNER'],
      first_name: 'Amina',
      last_name: 'Okafor',
    })
    return { id, email, session: await signIn(product.base, email) }
  }
  const create = (session: Session, over: object = {}) =>
    session.call<Made>('POST', KEYS, { name: 'CI', scopes: ['read', 'campaigns'], days: 30, ...over })
  const rotate = (session: Session, id: string) => session.call<Made>('POST', `${KEYS}/${id}/rotate`)
  const list = async (session: Session) => (await session.call<readonly Row[]>('GET', KEYS)).data
  const statusOf = async (token: string, path = '/v1/campaign/list/v2') =>
    (await sessionOf(product.base, token).call('POST', path, {})).status
  const settings = async (whitelabel_settings: object) =>
    expect((await owner.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings })).code).toBe(0)

  /** POST /v1/oauth/token. */
  async function ask(body: Readonly<Record<string, string>>, authorization?: string) {
    const response = await fetch(`${product.base}/v1/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(body),
      headers: authorization === undefined ? {} : { authorization },
    })
    return { status: response.status, headers: response.headers, answer: (await response.json()) as Answer }
  }
  const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const exchange = ({ id, key }: Pick<Made, 'id' | 'key'>, over: Readonly<Record<string, string>> = {}) =>
    ask({ grant_type: 'client_credentials', client_id: id, client_secret: key, ...over })

  describe('API keys with an end', () => {
    // covers FP-86
    it('API keys end after 90 days at most, or after what the white-label allows', async () => {
      const { session } = await newUser()
      const pathOf = async (over: object) => (await create(session, over)).data as unknown as { errors: { path: string }[] }
      expect((await create(session, { days: 90 })).code).toBe(0)
      expect((await pathOf({ days: 91 })).errors[0]?.path).toBe('days')
      expect((await pathOf({ days: undefined })).errors[0]?.path).toBe('days')
      expect((await pathOf({ days: undefined, expires_at: inDays(91) })).errors[0]?.path).toBe('expires_at')
      expect((await pathOf({ expires_at: inDays(5) })).errors[0]?.path).toBe('expires_at')
      const dated = await create(session, { days: undefined, expires_at: inDays(45, Date.parse('2026-01-01')).slice(0, 10) })
      expect(dated.code).toBe(2)
      const until = inDays(45)
      expect((await create(session, { days: undefined, expires_at: until })).data.expires_at).toBe(until)
      await settings({ api_key_days: 200 })
      expect((await session.call<{ api_key_days: number }>('GET', '/v1/user/me')).data.api_key_days).toBe(200)
      expect((await create(session, { days: 200 })).code).toBe(0)
      expect((await create(session, { days: 201 })).code).toBe(2)
      await settings({ api_key_days: 30 })
      expect([(await create(session, { days: 30 })).code, (await create(session, { days: 31 })).code]).toEqual([0, 2])
      await settings({ api_key_days: null })
    })

    // covers FP-86
    it('an API key whose end is over answers as a wrong key does', async () => {
      const { session } = await newUser()
      const { data } = await create(session)
      await run(`update identity.api_keys set expires_at = now() - interval '1 second' where id = $1`, data.id)
      const answers = await Promise.all(
        [data.key, 'placard_key_wrong'].map(async (key) => {
          const {
            status,
            code,
            message,
            data: body,
          } = await sessionOf(product.base, key).call('POST', '/v1/campaign/list/v2', {})
          return { status, code, message, body }
        }),
      )
      expect(answers[0]?.status).toBe(401)
      expect(answers[0]).toEqual(answers[1])
      const [over, wrong] = await Promise.all([exchange(data), exchange({ ...data, key: 'placard_key_wrong' })])
      expect([over.status, over.answer]).toEqual([401, wrong.answer])
    })
  })

  describe('rotated API keys', () => {
    // covers FP-86
    it('rotated API keys work for another day beside a new key with the same name, scopes and lifetime', async () => {
      const { session } = await newUser()
      const { data: old } = await create(session)
      const { code, data: made, headers } = await rotate(session, old.id)
      expect([code, headers.get('cache-control')]).toEqual([0, 'no-store'])
      expect(Math.round((Date.parse(made.expires_at) - Date.now()) / DAY_MS)).toBe(30)
      expect(Math.round((Date.parse(made.replaced_until) - Date.now()) / 3_600_000)).toBe(24)
      const [first, second] = await list(session)
      expect(first).toMatchObject({ id: made.id, name: 'CI', scopes: ['read', 'campaigns'], replaced_at: null })
      expect(second).toMatchObject({ id: old.id, expires_at: made.replaced_until, revoked_at: null })
      expect(second?.replaced_at).not.toBeNull()
      expect([await statusOf(old.key), await statusOf(made.key)]).toEqual([200, 200])
      expect((await session.call('DELETE', `${KEYS}/${old.id}`)).code).toBe(0)
      await eventually(
        () => statusOf(old.key),
        (status) => status === 401,
      )
      expect(await statusOf(made.key)).toBe(200)
    })

    // covers FP-86
    it('rotated API keys are not rotated twice, nor while the key before still works', async () => {
      const { session } = await newUser()
      const other = await newUser()
      const { data: old } = await create(session)
      const { data: made } = await rotate(session, old.id)
      const keyOf = async (id: string, by = session) => {
        const { code, data } = await rotate(by, id)
        return [code, (data as unknown as { errors: { key?: string }[] }).errors[0]?.key]
      }
      expect(await keyOf(old.id)).toEqual([2, 'keyReplaced'])
      expect(await keyOf(made.id)).toEqual([2, 'keyOverlaps'])
      expect(await keyOf(made.id, other.session)).toEqual([131, undefined])
      await session.call('DELETE', `${KEYS}/${old.id}`)
      expect((await rotate(session, made.id)).code).toBe(0)
    })

    it('rotations of API keys need a proof of the last five minutes', async () => {
      const { id, session } = await newUser()
      const { data: old } = await create(session)
      await run(`update identity.session_families set proved_at = now() - interval '6 minutes' where person_id = $1`, id)
      const { status, data } = await rotate(session, old.id)
      expect([status, data]).toMatchObject([401, { step_up: {} }])
    })
  })

  describe('API keys exchanged for access tokens', () => {
    // covers FP-86
    it('exchanges of API keys answer in the shape of OAuth beside the envelope, for 15 minutes', async () => {
      const { session } = await newUser()
      const { data: key } = await create(session)
      for (const { status, headers, answer } of [
        await exchange(key),
        await ask({ grant_type: 'client_credentials' }, basic(key.id, key.key)),
      ]) {
        const token = { access_token: answer.access_token, token_type: 'Bearer', expires_in: 900, scope: 'read campaigns' }
        expect([status, answer, headers.get('cache-control')]).toEqual([
          200,
          { ...token, type: { code: 0, key: 'OK', message: '' }, data: token },
          'no-store',
        ])
        expect(await statusOf(answer.access_token ?? '')).toBe(200)
      }
    })

    it('access tokens for API keys are what a library of OpenID Connect gets', async () => {
      const { session } = await newUser()
      const { data: key } = await create(session)
      const server = { issuer: product.base, token_endpoint: `${product.base}/v1/oauth/token` }
      for (const authentication of [client.ClientSecretBasic(key.key), client.ClientSecretPost(key.key)]) {
        const config = new client.Configuration(server, key.id, undefined, authentication)
        client.allowInsecureRequests(config)
        const token = await client.clientCredentialsGrant(config, { scope: 'read' })
        expect([token.scope, token.expires_in, token.refresh_token]).toEqual(['read', 900, undefined])
        expect(await statusOf(token.access_token)).toBe(200)
      }
      const config = new client.Configuration(server, key.id, undefined, client.ClientSecretBasic('placard_key_wrong'))
      client.allowInsecureRequests(config)
      await expect(client.clientCredentialsGrant(config)).rejects.toMatchObject({ status: 401 })
    })

    // covers FP-86
    it('access tokens for API keys have the rights of the key, or fewer, and nothing about sessions or credentials', async () => {
      const { session } = await newUser()
      const { data: key } = await create(session)
      const all = sessionOf(product.base, (await exchange(key)).answer.access_token ?? '')
      const few = sessionOf(product.base, (await exchange(key, { scope: 'read' })).answer.access_token ?? '')
      const draft = () => ({ name: newId(), country: 'EG', budget: 50, bidding_strategy: { type: 'awareness' } })
      expect((await all.call('POST', '/v1/campaign', draft())).code).toBe(0)
      expect((await few.call('POST', '/v1/campaign', draft())).code).toBe(3)
      for (const [method, path] of [
        ['GET', KEYS],
        ['POST', `${KEYS}/${key.id}/rotate`],
        ['GET', '/v1/user/me'],
      ] as const)
        expect([path, (await all.call(method, path)).code]).toEqual([path, 3])
    })

    it.each<readonly [what: string, body: (key: Made) => Readonly<Record<string, string>>, status: number, error: string]>([
      ['a wrong secret', ({ id }) => ({ client_id: id, client_secret: 'placard_key_wrong' }), 401, 'invalid_client'],
      ['the id of another key', ({ key }) => ({ client_id: 'other', client_secret: key }), 401, 'invalid_client'],
      ['no secret', ({ id }) => ({ client_id: id }), 401, 'invalid_client'],
      ['nothing', () => ({}), 401, 'invalid_client'],
      [
        'a scope beyond the key',
        ({ id, key }) => ({ client_id: id, client_secret: key, scope: 'read moderation' }),
        400,
        'invalid_scope',
      ],
      [
        'a scope that does not exist',
        ({ id, key }) => ({ client_id: id, client_secret: key, scope: 'all' }),
        400,
        'invalid_scope',
      ],
      ['an endless secret', ({ id }) => ({ client_id: id, client_secret: 'x'.repeat(1001) }), 400, 'invalid_request'],
    ])('exchanges of API keys refuse %s as RFC 6749 says', async (_, body, status, error) => {
      const { data: key } = await create((await newUser()).session)
      const refused = await ask({ grant_type: 'client_credentials', ...body(key) })
      expect([refused.status, refused.answer.error, refused.answer.access_token]).toEqual([status, error, undefined])
      expect([refused.answer.type.code, typeof refused.answer.error_description]).toEqual([status === 401 ? 401 : 2, 'string'])
    })

    it('exchanges of API keys name the scheme that the client tried, and refuse two of them', async () => {
      const { data: key } = await create((await newUser()).session)
      const header = basic(key.id, key.key)
      const wrong = await ask({ grant_type: 'client_credentials' }, basic(key.id, 'wrong'))
      expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Placard"'])
      const both = await ask({ grant_type: 'client_credentials', client_secret: key.key }, header)
      expect([both.status, both.answer.error]).toEqual([400, 'invalid_request'])
      expect((await ask({ grant_type: 'client_credentials' }, 'Basic !')).status).toBe(401)
      // Other grants and calls know no such header.
      const password = { grant_type: 'password', username: 'ada@nile.example', password: PASSWORD }
      const other = await ask(password, header)
      expect([other.status, other.answer.error, other.headers.get('www-authenticate')]).toEqual([401, undefined, 'Bearer'])
      const call = await fetch(`${product.base}/v1/campaign/list/v2`, { method: 'POST', headers: { authorization: header } })
      expect(call.status).toBe(401)
    })

    it('exchanges of API keys are limited as passwords are where the secret is wrong, and never where it is right', async () => {
      const { data: key } = await create((await newUser()).session)
      const statuses: number[] = []
      for (let n = 0; n < 21; n++) statuses.push((await exchange({ ...key, key: 'placard_key_wrong' })).status)
      expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429])
      expect((await exchange(key)).status).toBe(200)
    })

    // covers FP-86
    it('access tokens for API keys never outlive their key', async () => {
      const { data: key } = await create((await newUser()).session)
      await run(`update identity.api_keys set expires_at = now() + interval '100 seconds' where id = $1`, key.id)
      const { expires_in = 0 } = (await exchange(key)).answer
      expect(expires_in).toBeLessThanOrEqual(100)
      expect(expires_in).toBeGreaterThan(80)
    })
  })

  type User = Awaited<ReturnType<typeof newUser>>
  const person = (text: string) => (user: User) => run(text, user.id)
  it.each<readonly [string, (user: User, ids: readonly string[]) => Promise<unknown>]>([
    [
      'a new password',
      ({ session }) => session.call('POST', '/v1/user/change-password', { oldPassword: PASSWORD, newPassword: 'Quiet#River7' }),
    ],
    ['"sign out everywhere"', ({ session }) => session.call('POST', '/v1/user/sessions/end-others')],
    ['their revocation', async ({ session }, ids) => Promise.all(ids.map((id) => session.call('DELETE', `${KEYS}/${id}`)))],
    ['other roles', person(`update identity.people set roles = '{ACCOUNTANT}' where id = $1`)],
    ['a suspension', person('update identity.people set suspended = true where id = $1')],
    ['a deactivation', person('update identity.people set status_key = 3 where id = $1')],
    ['a second factor', person(`insert into identity.second_factors (person_id, secret, created_at) values ($1, 'x', now())`)],
    [
      'a passkey',
      person(`insert into identity.passkeys (id, person_id, rp_id, credential_id, public_key, sign_count, transports, backed_up, name, created_at)
      values ($1, $1, 'localhost', $1, '\\x00', 0, '{}', false, 'Laptop', now())`),
    ],
    ['their end', person(`update identity.api_keys set expires_at = now() - interval '1 second' where person_id = $1`)],
  ])('API keys end within 5 seconds with %s: the rotated key, the new one, and tokens of both', async (what, end) => {
    const user = await newUser()
    const { data: old } = await create(user.session)
    const { data: made } = await rotate(user.session, old.id)
    const tokens = await Promise.all([old, made].map(async (key) => (await exchange(key)).answer.access_token ?? ''))
    const all = [old.key, made.key, ...tokens]
    // Their checks are cached from now on.
    expect(await Promise.all(all.map((token) => statusOf(token)))).toEqual([200, 200, 200, 200])
    await end(user, [old.id, made.id])
    if (what === 'a second factor')
      await run('update identity.second_factors set confirmed_at = now() where person_id = $1', user.id)
    const left = await eventually(
      () => Promise.all(all.map((token) => statusOf(token))),
      (statuses) => statuses.every((status) => status === 401),
    )
    expect(left).toEqual([401, 401, 401, 401])
    expect((await exchange(made)).status).toBe(401)
  })

  // covers FP-86
  it('API keys are no bearer tokens where the white-label takes them in exchange only', async () => {
    const { session } = await newUser()
    const { data: key } = await create(session)
    await settings({ api_keys_exchange_only: true })
    const asKey = sessionOf(product.base, key.key)
    const refused = await eventually(
      () => asKey.call('POST', '/v1/campaign/list/v2', {}),
      ({ status }) => status === 401,
    )
    expect([refused.code, refused.message]).toEqual([165, expect.stringContaining('grant_type=client_credentials')])
    expect(await statusOf((await exchange(key)).answer.access_token ?? '')).toBe(200)
    await settings({ api_keys_exchange_only: false })
    await eventually(
      () => statusOf(key.key),
      (status) => status === 200,
    )
  })
})
