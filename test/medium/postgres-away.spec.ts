import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProduct, type Product } from '#api/compose'
import { readConfig } from '#api/config'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startLossyProxy, type LossyProxy } from '../support/lossy-proxy.ts'
import { eventually, publishable, sessionOf, signIn, type Session } from '../support/product.ts'

/** How long calls of this product wait for PostgreSQL, milliseconds. */
const WAIT_MS = 2000

describe('the product while PostgreSQL is away', () => {
  let database: TestDatabase
  let proxy: LossyProxy
  let product: Product
  let base = ''
  let dataDir = ''
  let ada: Session
  let moderator: Session
  let content: object
  beforeAll(async () => {
    database = await createTestDatabase()
    proxy = await startLossyProxy(database.url)
    dataDir = await mkdtemp(join(tmpdir(), 'placard-away-'))
    const config = readConfig({
      DATABASE_URL: proxy.url,
      PLACARD_DATA_DIR: dataDir,
      PLACARD_DEMO: 'on',
      PLACARD_DEMO_DELIVERY: 'off',
      PLACARD_UNSAFE_DATABASE: 'on',
      PORT: '0',
      LOG_LEVEL: 'silent',
    })
    product = await startProduct(config, { databaseWaitMs: WAIT_MS })
    base = product.address ?? ''
    ada = await signIn(base, 'ada@nile.example')
    moderator = await signIn(base, 'moderator@dsp.example')
    content = await publishable(base, ada)
  })
  afterAll(async () => {
    await product.stop()
    await proxy.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const read = () => ada.call('GET', '/v1/user/me')
  const write = () => ada.call('POST', '/v1/campaign', { ...content, name: name() })
  const name = () => `Away ${(made += 1)}`
  let made = 0
  const ready = async () => {
    const response = await fetch(`${base}/health/ready`)
    const body: { readonly waiting: readonly string[]; readonly away: readonly string[] } = await response.json()
    return { http: response.status, ...body }
  }
  const metric = async () =>
    /placard_outside_away\{name="PostgreSQL"\} (\d)/.exec(await (await fetch(`${base}/metrics`)).text())?.[1]
  const timed = async <T>(work: () => Promise<T>) => {
    const begin = performance.now()
    return { answer: await work(), ms: performance.now() - begin }
  }
  const AWAY = { http: 503, waiting: ['PostgreSQL'], away: ['PostgreSQL'] }
  const expectAway = (answer: Awaited<ReturnType<typeof read>>) => {
    expect(answer).toMatchObject({ status: 503, code: 1 })
    expect([answer.headers.get('retry-after'), answer.headers.get('cache-control')]).toEqual(['1', 'no-store'])
  }

  /** Read models, policies and mails go on. */
  async function expectAllGoesOn(): Promise<void> {
    await eventually(ready, ({ http, away }) => http === 200 && away.length === 0)
    expect(await read()).toMatchObject({ status: 200 })
    const published = await ada.call('POST', '/v1/campaign/saveAndPublish', { ...content, name: name() })
    expect(published).toMatchObject({ status: 200 })
    const { id } = published.data
    const { moderation_start_at } = (await ada.call('GET', `/v1/campaign/${id}`)).data
    await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', { campaign_id: id, moderation_start_at })
    // It runs once the built-in exchanges, which are policies, have approved it.
    await eventually(
      () => ada.call('GET', `/v1/campaign/${id}`),
      ({ data }) => data.status_key === 3,
    )
    const outbox = join(dataDir, 'outbox')
    const mails = async () => (await readdir(outbox).catch(() => [])).length
    const before = await mails()
    expect((await sessionOf(base, '').call('POST', '/v1/user/reset-password/init', 'bola@lagos.example')).status).toBe(200)
    await eventually(mails, (now) => now > before)
  }

  it('answers every call once a short freeze is over, and is named after three seconds', async () => {
    // More calls than connections: some wait for one, others open one.
    const calls = Array.from({ length: 30 }, () => read)
    proxy.freeze()
    const begin = performance.now()
    const answers = Promise.all([...calls, write, write].map((call) => call()))
    expect(await eventually(ready, ({ away }) => away.length > 0)).toMatchObject(AWAY)
    expect(performance.now() - begin).toBeLessThan(4000)
    proxy.thaw()
    expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: 32 }, () => 200))
    await eventually(ready, ({ away }) => away.length === 0)
  })

  it('answers 503 when a freeze takes longer, at first after the wait and then at once, and goes on after it', async () => {
    proxy.freeze()
    const { answer: answers, ms } = await timed(() => Promise.all([read(), write(), ready(), signInFailing()]))
    expectAway(answers[0])
    expectAway(answers[1])
    expect(answers[2]).toMatchObject(AWAY)
    expect(answers[3]).toBe(503)
    expect(ms).toBeLessThan(3000 + WAIT_MS + 1500)
    for (const call of [read, write]) {
      const later = await timed(call)
      expectAway(later.answer)
      expect(later.ms).toBeLessThan(500)
    }
    expect(await metric()).toBe('1')
    // Data in memory, and the page itself, do not need it.
    for (const path of ['/health/live', '/v1/geo/country', '/openapi.json']) expect((await fetch(base + path)).status).toBe(200)
    proxy.thaw()
    await expectAllGoesOn()
    expect(await metric()).toBe('0')
  })

  it('keeps a live stream open through a freeze that takes longer than calls wait', async () => {
    const leaving = new AbortController()
    const headers = { authorization: `Bearer ${ada.token}` }
    const stream = await fetch(`${base}/v1/stream`, { headers, signal: leaving.signal })
    const reader = stream.body?.getReader()
    const ended = (async () => {
      while ((await reader?.read())?.done === false);
      return 'ended'
    })().catch(() => 'broken')
    proxy.freeze()
    expectAway(await read())
    expect(await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 500, 'open'))])).toBe('open')
    proxy.thaw()
    await eventually(ready, ({ away }) => away.length === 0)
    leaving.abort()
    await ended
  })

  it('answers 503 at once when it is gone, and goes on after it', async () => {
    await proxy.down()
    expectAway(await read())
    expectAway(await write())
    expect(await eventually(ready, ({ away }) => away.length > 0)).toMatchObject(AWAY)
    await proxy.up()
    await expectAllGoesOn()
  })

  const signInFailing = async () =>
    (
      await fetch(`${base}/v1/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'password', username: 'ada@nile.example', password: 'x' }),
      })
    ).status
})
