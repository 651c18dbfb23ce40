import { beforeAll, describe, expect, it } from 'vitest'
import { publishable, sessionOf, sharedProduct, type Session, type TestProduct } from '../support/product.ts'

describe('bad input handling', () => {
  let product: TestProduct
  let ada: Session
  let bola: Session
  let moderator: Session
  let id = ''
  beforeAll(async () => {
    product = await sharedProduct('external')
    ;[ada, bola, moderator] = await Promise.all([
      product.as('ada@nile.example'),
      product.as('bola@lagos.example'),
      product.as('moderator@dsp.example'),
    ])
    id = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))).data.id
  })

  /** Runs refused requests and checks that no event and no file is stored. */
  async function refused<T>(run: () => Promise<T>): Promise<T> {
    const before = await product.stored()
    const answer = await run()
    expect(await product.stored()).toEqual(before)
    return answer
  }

  it('reports wrong types with code 2 and a path for each', async () => {
    const answer = await refused(() =>
      ada.call('PUT', '/v1/campaign', { id, name: 7, budget: 'much', visuals: { banners: 'none' } }),
    )
    expect([answer.status, answer.code]).toEqual([400, 2])
    expect(answer.data.errors.map(({ path }) => path).sort()).toEqual(['budget', 'name', 'visuals.banners'])
  })

  it.each([
    ['campaign_start_at', 'soon', 11],
    ['country', 'US', 2],
    ['country', 'XX', 2],
    ['budget', 50.0000001, 2], // covers FP-27
    ['placement', { included_apps: ['x'.repeat(101)] }, 2],
    ['targeting', { city_ids: Array.from({ length: 2001 }, (_, n) => `c${n}`) }, 2],
    ['targeting', { ageRange: Array.from({ length: 101 }, () => 20) }, 2],
  ])('refuses %s = %j with %i', async (key, value, code) => {
    const answer = await refused(() => ada.call('PUT', '/v1/campaign', { id, [key]: value }))
    expect(answer.code).toBe(code)
    expect(answer.data.errors[0]?.message).not.toBe('')
  })

  it.each([
    ['POST', '/v1/labels?dry_run=true', { name: 'Tried', color: 'blue' }],
    ['DELETE', '/v1/labels/x?dry_run=false', undefined],
    ['POST', '/v1/campaign/list/v2?dry_run=1', {}],
    // Commands of campaigns know it, but not in their body.
    ['POST', '/v1/campaign', { name: 'Tried', country: 'EG', bidding_strategy: { type: 'awareness' }, dry_run: true }],
    ['POST', '/v1/oauth/refresh?dry_run=true', { refresh_token: 'x' }],
  ] as const)('%s %s does nothing in earnest where no dry run is offered: 2', async (method, path, body) => {
    const answer = await refused(() => ada.call(method, path, body))
    expect([answer.status, answer.code]).toEqual([400, 2])
    expect(answer.data.errors.map((error) => error.path)).toContain('dry_run')
  })

  // covers FP-19
  it('refuses a name that is taken with 1312, in any case', async () => {
    const { data } = await ada.call('GET', `/v1/campaign/${id}`)
    const answer = await ada.call(
      'POST',
      '/v1/campaign',
      await publishable(product.base, ada, { name: ` ${data.name.toUpperCase()} ` }),
    )
    expect([answer.status, answer.code]).toEqual([409, 1312])
  })

  it('frees the name of a refused creation for the corrected one', async () => {
    const body = await publishable(product.base, ada, { campaign_start_at: '2099-01-02', campaign_end_at: '2099-01-01' })
    expect((await ada.call('POST', '/v1/campaign', body)).code).toBe(1303)
    expect((await ada.call('POST', '/v1/campaign', { ...body, campaign_end_at: '2099-01-03' })).code).toBe(0)
  })

  // covers FP-6
  it('refuses to publish an incomplete campaign with 135 and a list of what is missing', async () => {
    const draft = await ada.call('POST', '/v1/campaign', {
      name: `Empty ${process.pid}`,
      country: 'EG',
      bidding_strategy: { type: 'conversion' },
    })
    const answer = await refused(() => ada.call('POST', '/v1/campaign/saveAndPublish', { id: draft.data.id }))
    expect([answer.status, answer.code]).toEqual([409, 135])
    expect(answer.data.errors.map(({ path }) => path)).toEqual([
      'budget',
      'product_url',
      'bidding_strategy.website_promotion.conversion_url',
      'visuals.banners',
    ])
  })

  // covers FP-40
  it('stores no draft of a new campaign whose publication is refused', async () => {
    const body = { name: `Not even a draft ${process.pid}`, country: 'EG', bidding_strategy: { type: 'awareness' } }
    const answer = await refused(() => ada.call('POST', '/v1/campaign/saveAndPublish', body))
    expect([answer.status, answer.code]).toEqual([409, 135])
    expect((await ada.call('POST', '/v1/campaign', body)).code).toBe(0)
  })

  it('answers an unknown or malformed id with 130', async () => {
    for (const unknown of ['00000000-0000-7000-8000-000000000000', 'nothing', '%00'])
      for (const answer of [
        await ada.call('GET', `/v1/campaign/${unknown}`),
        await ada.call('POST', '/v1/campaign/run', unknown),
      ])
        expect([answer.status, answer.code]).toEqual([404, 130])
  })

  it('refuses text that a database cannot store, NUL and half a surrogate pair, with code 2', async () => {
    for (const name of ['a\u0000b', 'a\ud800b']) {
      const answer = await refused(() => ada.call('PUT', '/v1/campaign', { id, name }))
      expect([answer.status, answer.code]).toEqual([400, 2])
    }
  })

  // covers FP-4
  it('answers 404, not 403, for a campaign of another account', async () => {
    for (const answer of [
      await bola.call('GET', `/v1/campaign/${id}`),
      await refused(() => bola.call('PUT', '/v1/campaign', { id, budget: 1 })),
      await refused(() => bola.call('POST', '/v1/campaign/archive/toggle', id)),
    ])
      expect([answer.status, answer.code]).toEqual([404, 130])
  })

  // covers FP-30
  it('refuses a role without the right with 403', async () => {
    const clerk = await product.as('clerk@nile.example')
    const auditor = await product.as('auditor@dsp.example')
    for (const answer of [
      await clerk.call('GET', `/v1/campaign/${id}`),
      await refused(() => auditor.call('PUT', '/v1/campaign', { id, budget: 1 })),
      await refused(() => moderator.call('PUT', '/v1/campaign', { id, budget: 1 })),
      await refused(() => ada.call('POST', '/v1/whitelabel/admin/campaign/approve', { campaign_id: id })),
      await ada.call('GET', `/v1/campaign/revision/snapshot/${id}`),
      await moderator.call('GET', `/v1/campaign/${id}/verify`),
    ])
      expect([answer.status, answer.code]).toEqual([403, 3])
  })

  // covers FP-38
  it('answers 401 without a token or with a broken one, and 403 for the service token on a call of users', async () => {
    expect((await sessionOf(product.base, '').call('GET', `/v1/campaign/${id}`)).status).toBe(401)
    expect((await sessionOf(product.base, 'a.b.c').call('GET', `/v1/campaign/${id}`)).code).toBe(401)
    const { readFile } = await import('node:fs/promises')
    const service = (await readFile(`${product.dataDir}/service-token`, 'utf8')).trim()
    expect((await sessionOf(product.base, service).call('GET', `/v1/campaign/${id}`)).code).toBe(3)
    expect((await ada.call('POST', '/v1/exchange/google/decisions', { decisions: [] })).code).toBe(3)
  })

  // covers FP-3
  it('refuses a stale revision with 140, but no save is stale because of a moderation event', async () => {
    const { data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))
    await ada.call('PUT', '/v1/campaign', { id: data.id, budget: 61 })
    const stale = await refused(() => ada.call('PUT', '/v1/campaign', { id: data.id, budget: 62, revision: 1 }))
    expect([stale.status, stale.code, stale.message]).toEqual([409, 140, expect.stringContaining('changed by someone else')])
    await ada.call('POST', '/v1/campaign/saveAndPublish', { id: data.id })
    expect((await ada.call('PUT', '/v1/campaign', { id: data.id, budget: 63, revision: 2 })).code).toBe(0)
    const { moderation_start_at } = (await ada.call('GET', `/v1/campaign/${data.id}`)).data
    const verdict = { campaign_id: data.id, moderation_start_at, category_keys: ['IAB1'], exchange_id: ['google'] }
    expect((await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', verdict)).code).toBe(0)
    expect((await ada.call('PUT', '/v1/campaign', { id: data.id, budget: 64, revision: 4 })).code).toBe(0)
  })

  // covers FP-36
  it('refuses a stale or missing moderation_start_at with 138, no pending review with 136, and no reason with 1301', async () => {
    const { data } = await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(product.base, ada))
    const approve = (moderation_start_at?: string) =>
      moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', { campaign_id: data.id, moderation_start_at })
    for (const moment of ['2020-01-01T00:00:00Z', 'not a time', undefined])
      expect((await refused(() => approve(moment))).code).toBe(138)
    const reject = { campaign_id: data.id, moderation_start_at: data.moderation_start_at }
    expect((await refused(() => moderator.call('POST', '/v1/whitelabel/admin/campaign/reject', reject))).code).toBe(1301)
    expect((await approve(data.moderation_start_at)).code).toBe(0)
    expect((await approve(data.moderation_start_at)).code).toBe(136)
  })

  // covers FP-25
  it('answers 413 for a body over the limit, 400 for broken JSON, 415 for another content type, 405 for another method and 404 for an unknown call', async () => {
    const send = (init: RequestInit, path = '/v1/campaign') =>
      fetch(product.base + path, { ...init, headers: { authorization: `Bearer ${ada.token}`, ...init.headers } })
    const json = { 'content-type': 'application/json' }
    const answers = await refused(() =>
      Promise.all([
        send({ method: 'PUT', headers: json, body: JSON.stringify({ id, custom: 'x'.repeat(1_100_000) }) }),
        send({ method: 'PUT', headers: json, body: '{"id":' }),
        send({ method: 'PUT', headers: { 'content-type': 'application/xml' }, body: '<id/>' }),
        send({ method: 'DELETE' }),
        send({ method: 'GET' }, '/v1/nothing/here'),
      ]),
    )
    expect(answers.map(({ status }) => status)).toEqual([413, 400, 415, 405, 404])
    for (const answer of answers) expect((await answer.json()).type.code).toBe(2)
  })

  it('sends the same security headers with pages, answers and refusals', async () => {
    const guards = async (path: string, init: RequestInit = {}) => {
      const { status, headers } = await fetch(product.base + path, init)
      const names = [
        'content-security-policy',
        'x-content-type-options',
        'x-frame-options',
        'referrer-policy',
        'cross-origin-opener-policy',
      ]
      return { status, security: names.map((name) => headers.get(name)) }
    }
    const post = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const answers = [
      await guards('/health/live'),
      await guards(`/v1/campaign/${id}`, { headers: { authorization: `Bearer ${ada.token}` } }),
      await guards('/v1/campaign/list/v2', { ...post, body: '{}' }),
      await guards('/v1/auth/login', { ...post, body: '{"email"' }),
      await guards('/v1/nowhere'),
      await guards(`/v1/${'x'.repeat(600)}/%zz`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 400, 404, 400])
    const [first] = answers
    expect(first?.security).toEqual([
      expect.stringMatching(/default-src 'self';.*object-src 'none'/),
      'nosniff',
      'SAMEORIGIN',
      'no-referrer',
      'same-origin',
    ])
    // A malformed URL is refused before the headers are added.
    for (const { security } of answers.slice(0, -1)) expect(security).toEqual(first?.security)
  })
})
