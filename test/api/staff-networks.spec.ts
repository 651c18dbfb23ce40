import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

/** Two addresses of this machine: the network of staff has one of them. */
const INSIDE = '127.0.0.1'
const OUTSIDE = '127.0.0.9'
const NETWORKS = ['127.0.0.0/29', '2001:db8::/32']

type Grant = { readonly access_token: string; readonly refresh_token: string }
type Answer<Data> = { readonly status: number; readonly code: number; readonly data: Data }

describe('a white-label that lets its staff work from some networks', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct()
  })
  afterAll(() => product.stop())
  afterEach(async () => {
    const owner = await product.as('owner@dsp.example')
    expect((await owner.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings: { staff_networks: [] } })).code).toBe(0)
  })

  type Sent = { readonly token?: string; readonly form?: Record<string, string>; readonly json?: object }

  async function open(from: string, method: string, path: string, { token, form, json }: Sent = {}): Promise<IncomingMessage> {
    const { hostname, port } = new URL(product.base)
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const sent = request({ hostname, port, path, method, headers, localAddress: from, agent: false })
    sent.end(json === undefined ? new URLSearchParams(form).toString() : JSON.stringify(json))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return response
  }
  async function send<Data = unknown>(from: string, method: string, path: string, sent: Sent = {}): Promise<Answer<Data>> {
    const response = await open(from, method, path, sent)
    const { type, data }: { type: { code: number }; data: Data } = JSON.parse(await text(response))
    return { status: response.statusCode ?? 0, code: type.code, data }
  }
  const signIn = (from: string, username: string, password = PASSWORD) =>
    send<Grant>(from, 'POST', '/v1/oauth/token', { form: { grant_type: 'password', username, password } })
  const refresh = (from: string, refresh_token: string) =>
    send<Grant>(from, 'POST', '/v1/oauth/refresh', { form: { refresh_token } })
  const list = (from: string, token: string) => send(from, 'POST', '/v1/campaign/list/v2', { token, json: {} })

  const limit = async (staff_networks: readonly string[], email = 'owner@dsp.example') => {
    const owner = await product.as(email)
    return owner.call<{ errors: readonly { readonly path: string; readonly key: string }[] }>('PUT', '/v1/whitelabel/dsp', {
      whitelabel_settings: { staff_networks },
    })
  }
  const REFUSED = { status: 403, code: 3, data: { outside_networks: true } }

  // covers FP-81
  it('signs its staff in from there alone, and advertisers and system administrators from anywhere', async () => {
    expect((await limit(NETWORKS)).code).toBe(0)
    expect(await signIn(OUTSIDE, 'moderator@dsp.example')).toMatchObject(REFUSED)
    // A wrong password learns nothing.
    expect((await signIn(OUTSIDE, 'moderator@dsp.example', 'wrong')).status).toBe(401)
    expect((await signIn(INSIDE, 'moderator@dsp.example')).status).toBe(200)
    expect((await signIn(OUTSIDE, 'ada@nile.example')).status).toBe(200)
    expect((await signIn(OUTSIDE, 'admin@dsp.example')).status).toBe(200)
    await expect
      .poll(async () => {
        const { rows } = await product.database.pool.query<{ readonly email: string }>(
          `select distinct p.email from app.security_events e join identity.people p on p.id = e.person_id
            where e.type = 'sign-in-failed'`,
        )
        return rows.map(({ email }) => email)
      })
      .toContain('moderator@dsp.example')
  })

  // covers FP-81
  it('refuses open sessions and API keys of its staff elsewhere, and takes them again inside', async () => {
    const moderator = (await signIn(OUTSIDE, 'moderator@dsp.example')).data
    const session = await product.as('moderator@dsp.example')
    const key = await session.call<{ readonly key: string }>('POST', '/v1/user/api-keys', {
      name: 'networks',
      scopes: ['read'],
      days: 1,
      password: PASSWORD,
    })
    expect(key.code).toBe(0)
    expect((await list(OUTSIDE, moderator.access_token)).status).toBe(200)
    expect((await limit(NETWORKS)).code).toBe(0)
    for (const token of [moderator.access_token, key.data.key]) {
      expect(await list(OUTSIDE, token)).toMatchObject(REFUSED)
      expect((await list(INSIDE, token)).status).toBe(200)
    }
    // The refused refresh leaves the token as it was.
    expect(await refresh(OUTSIDE, moderator.refresh_token)).toMatchObject(REFUSED)
    expect((await refresh(INSIDE, moderator.refresh_token)).status).toBe(200)
  })

  // covers FP-81
  it('ends live streams of its staff elsewhere within 5 s', async () => {
    const { access_token: token } = (await signIn(OUTSIDE, 'moderator@dsp.example')).data
    const streams = await Promise.all([OUTSIDE, INSIDE].map((from) => open(from, 'GET', '/v1/stream', { token })))
    const over = streams.map((stream) => {
      let isOver = false
      stream.once('close', () => (isOver = true)).resume()
      return () => isOver
    })
    expect((await limit(NETWORKS)).code).toBe(0)
    await expect.poll(() => over.map((isOver) => isOver()), { interval: 50 }).toEqual([true, false])
    // Not before the next check either.
    await delay(3500)
    expect(over[1]?.()).toBe(false)
    for (const stream of streams) stream.destroy()
  })

  // covers FP-81
  it('does not lock out the owner who sets them', async () => {
    const refused = await limit(['192.0.2.0/24'])
    expect([refused.code, refused.data.errors.map(({ path, key }) => [path, key])]).toEqual([
      2,
      [['whitelabel_settings.staff_networks', 'ownAddress']],
    ])
    expect((await signIn(OUTSIDE, 'moderator@dsp.example')).status).toBe(200)
    // A system administrator is not bound by them.
    expect((await limit(['192.0.2.0/24'], 'admin@dsp.example')).code).toBe(0)
    expect(await signIn(INSIDE, 'owner@dsp.example')).toMatchObject(REFUSED)
    expect((await limit([], 'admin@dsp.example')).code).toBe(0)
  })
})
