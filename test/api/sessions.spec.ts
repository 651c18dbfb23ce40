import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, sessionOf, startTestProduct, type TestProduct } from '../support/product.ts'

type Signed = {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly space_id: string
}

describe('sessions', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct()
  })
  afterAll(() => product.stop())

  const post = async (path: string, form: Record<string, string>) => {
    const response = await fetch(product.base + path, { method: 'POST', body: new URLSearchParams(form) })
    const { type, data }: { type: { code: number }; data: Signed } = await response.json()
    return { status: response.status, code: type.code, data }
  }
  const signIn = (username: string, password = PASSWORD) =>
    post('/v1/oauth/token', { grant_type: 'password', username, password })
  const refresh = (refresh_token: string) => post('/v1/oauth/refresh', { refresh_token })

  // covers AUTH-15 AUTH-16 AUTH-17 AUTH-18 AUTH-50
  it('sessions start with an address in any case, and tell the user their roles', async () => {
    const { data, code } = await signIn(' ADA@nile.example ')
    expect([code, data.expires_in]).toEqual([0, 3600])
    expect([typeof data.refresh_token, data.space_id.length > 0]).toEqual(['string', true])
    const me = await sessionOf(product.base, data.access_token).call<Record<string, unknown>>('GET', '/v1/user/me')
    expect(me.data).toMatchObject({
      first_name: 'Ada',
      roles: ['USER_OWNER'],
      space_name: 'Nile Travel',
      currency: 'USD',
      balance: 5000,
      space_id: data.space_id,
    })
    expect(JSON.stringify(me.data)).not.toContain('argon2')
  })

  it('sessions answer an unknown address and a wrong password alike', async () => {
    const answers = [await signIn('unknown@nile.example'), await signIn('ada@nile.example', 'wrong')]
    for (const answer of answers) expect([answer.status, answer.code]).toEqual([401, 401])
    expect(answers[0]?.data).toEqual(answers[1]?.data)
  })

  // covers AUTH-51
  it('sessions accept a refresh token once, and a second use ends the whole family', async () => {
    const first = await signIn('ada@nile.example')
    const second = await refresh(first.data.refresh_token)
    expect(second.code).toBe(0)
    expect((await refresh(first.data.refresh_token)).code).toBe(5)
    expect((await refresh(second.data.refresh_token)).code).toBe(5)
  })

  it('sessions let one of two concurrent refreshes with one token succeed', async () => {
    const { data } = await signIn('ada@nile.example')
    const codes = (await Promise.all([refresh(data.refresh_token), refresh(data.refresh_token)])).map(({ code }) => code)
    expect(codes.sort((a, b) => a - b)).toEqual([0, 5])
  })

  it('sessions refuse an unknown token, and one after signing out', async () => {
    expect((await refresh('x'.repeat(43))).code).toBe(5)
    const { data } = await signIn('ada@nile.example')
    await post('/v1/oauth/logout', { refresh_token: data.refresh_token })
    expect((await refresh(data.refresh_token)).code).toBe(5)
  })

  // covers USR-26 FP-29
  it('sessions let an owner switch into an account and act there, but not an advertiser', async () => {
    const owner = await product.as('owner@dsp.example')
    const accounts = await owner.call<{ data: { space_id: string; space_name: string }[] }>(
      'POST',
      '/v1/whitelabel/admin/accounts/list',
      {},
    )
    const nile = accounts.data.data.find(({ space_name }) => space_name === 'Nile Travel')
    const switched = await owner.call<Signed>('POST', `/v1/user/account/switch/${nile?.space_id}`)
    expect(switched.data.space_id).toBe(nile?.space_id)
    const there = await sessionOf(product.base, switched.data.access_token).call<{ data: { space_id: string }[] }>(
      'POST',
      '/v1/campaign/list/v2',
      {},
    )
    expect(new Set(there.data.data.map(({ space_id }) => space_id))).toEqual(new Set([nile?.space_id]))
    const bola = await product.as('bola@lagos.example')
    expect((await bola.call('POST', `/v1/user/account/switch/${nile?.space_id}`)).status).toBe(404)
  })

  it('sessions refuse a call that names another user or account than its token with 1420', async () => {
    const ada = await product.as('ada@nile.example')
    const { data: me } = await ada.call<{ id: string; space_id: string }>('GET', '/v1/user/me')
    const { data: bola } = await (await product.as('bola@lagos.example')).call<typeof me>('GET', '/v1/user/me')
    const stored = await product.stored()
    const create = (identity: string) =>
      ada.call(
        'POST',
        '/v1/campaign',
        { name: `As ${identity}`, country: 'EG', bidding_strategy: { type: 'awareness' } },
        { 'x-placard-identity': identity },
      )
    for (const identity of [`${bola.id} ${bola.space_id}`, `${me.id} ${bola.space_id}`, `${bola.id} ${me.space_id}`, '', 'x']) {
      const { status, code, data } = await create(identity)
      expect([status, code, data.errors?.[0]?.path], identity).toEqual([409, 1420, 'X-Placard-Identity'])
    }
    expect((await ada.call('GET', '/v1/stream', undefined, { 'x-placard-identity': 'x' })).code).toBe(1420)
    expect(await product.stored()).toEqual(stored)
    expect((await create(`${me.id} ${me.space_id}`)).code).toBe(0)
  })

  it('sessions limit failures on one address, but not successful sign-ins', async () => {
    const codes = []
    for (let i = 0; i < 30; i++) expect((await signIn('bola@lagos.example')).code).toBe(0)
    for (let i = 0; i < 22; i++) codes.push((await signIn('guess@nile.example', 'x')).status)
    expect(codes.at(-1)).toBe(429)
  })
})

describe('the API', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_DEMO: 'off' })
  })
  afterAll(() => product.stop())

  // covers FP-30
  it('the API is ready, documents the access of every call, and answers a missing asset without a page', async () => {
    expect((await fetch(`${product.base}/health/ready`)).status).toBe(200)
    const document = await (await fetch(`${product.base}/openapi.json`)).json()
    expect(document.openapi).toBe('3.1.0')
    const operations: { 'x-access'?: string }[] = Object.values<Record<string, object>>(document.paths).flatMap((path) =>
      Object.values(path),
    )
    expect(operations.length).toBeGreaterThan(30)
    for (const operation of operations) expect(operation['x-access']).toMatch(/\w/)
    expect(document.paths['/v1/campaign/saveAndPublish'].post.operationId).toBe('campaign.publish')
    expect((await fetch(`${product.base}/assets/nothing.js`)).status).toBe(404)
    expect((await fetch(`${product.base}/metrics`)).status).toBe(200)
  })
})
