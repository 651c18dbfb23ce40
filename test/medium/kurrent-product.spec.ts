import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProduct } from '#api/compose'
import { readConfig } from '#api/config'
import { openEventLog } from '#api/wiring/event-log'
import { CLOCKS } from '#eventstore/kurrentdb/clocks'
import { streamOf } from '#domain/campaign/state'
import { createKysely, createPool } from '#platform/database/pool'
import { createKurrentEventStore } from '#eventstore/kurrentdb/kurrent-event-store'
import { READ_MODELS } from '#projections/read-models'
import { verify } from '#projections/projector/verify'
import { runTool } from '../support/command-line.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startStandIn, type StandIn } from '../support/kurrent/stand-in.ts'
import { eventually, PASSWORD, publishable, startTestProduct, type TestProduct } from '../support/product.ts'

describe('the product with its events in KurrentDB', () => {
  let server: StandIn
  let product: TestProduct
  beforeAll(async () => {
    server = await startStandIn()
    product = await startTestProduct({ EVENT_STORE_URL: server.url.replace('esdb:', 'kurrentdb:') })
  })
  afterAll(async () => {
    await product.stop()
    await server.stop()
  })

  it('passes the whole life of a campaign and writes no event to PostgreSQL', async () => {
    const ada = await product.as('ada@nile.example')
    const moderator = await product.as('moderator@dsp.example')
    const auditor = await product.as('auditor@dsp.example')
    const { data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))
    expect((await ada.call('POST', '/v1/campaign/saveAndPublish', { id: data.id, budget: 75 })).data.status_key).toBe(1)
    const pending = await ada.call('GET', `/v1/campaign/${data.id}`)
    const approved = await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', {
      campaign_id: data.id,
      moderation_start_at: pending.data.moderation_start_at,
    })
    expect(approved.code).toBe(0)
    const running = await eventually(
      () => ada.call('GET', `/v1/campaign/${data.id}`),
      (answer) => answer.data.status_key === 3,
    )
    expect(running.data).toMatchObject({ status_key: 3, budget: 75 })
    const listed = await ada.call<{ data: readonly { id: string }[] }>('POST', '/v1/campaign/list/v2', { page: 0, page_size: 25 })
    expect(listed.data.data.map(({ id }) => id)).toContain(data.id)
    const verified = await auditor.call<{ valid: boolean; faults: readonly string[] }>('GET', `/v1/campaign/${data.id}/verify`)
    expect(verified.data).toMatchObject({ valid: true, faults: [] })
    expect(server.log.stream(streamOf(data.id)).length).toBeGreaterThan(5)
    expect((await product.stored()).events).toBe(0)
  })

  it('refuses a save of a megabyte with 413 before the log is asked', async () => {
    const ada = await product.as('ada@nile.example')
    const content = await publishable(product.base, ada)
    const [banner] = content.visuals.banners
    // As many and as long texts as lists may hold. An event holds the texts before and after.
    const large = (mark: string) => {
      const apps = Array.from({ length: 2000 }, (_, i) => `${mark}.example/${String(i).padEnd(87, 'x')}`)
      const banners = Array.from({ length: 1000 }, (_, i) => ({ ...banner, creative_name: `${mark}${i}`.padEnd(75, 'x') }))
      return { placement: { excluded_apps: apps, included_apps: apps }, visuals: { banners } }
    }
    const { data } = await ada.call('POST', '/v1/campaign', { ...content, ...large('a') })
    const before = server.log.stream(streamOf(data.id)).length
    const answer = await ada.call('PUT', '/v1/campaign', { id: data.id, ...large('b') })
    expect(answer).toMatchObject({ status: 413, code: 2, data: { errors: [{ path: 'body', code: 2 }] } })
    expect(server.log.stream(streamOf(data.id))).toHaveLength(before)
  })

  it('rebuilds read models with the same rows', async () => {
    const store = createKurrentEventStore(server.url)
    const db = createKysely(product.database.pool)
    for (const model of READ_MODELS) expect(await verify(db, store, model)).toEqual({ kind: 'compared', differences: [] })
    await store.close()
  })

  it(
    'the product with its events in KurrentDB is verified whole, exported, and its export verified; a changed event is named',
    { timeout: 240_000 },
    async () => {
      const ada = await product.as('ada@nile.example')
      const auditor = await product.as('auditor@dsp.example')
      const { data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))
      const head = async () => (await auditor.call<{ size: number }>('POST', '/v1/audit/checkpoint')).data.size
      const size = await head()
      const env = { EVENT_STORE_URL: server.url, PLACARD_DATA_DIR: product.dataDir }
      const run = (...args: readonly string[]) => runTool('api/cli/audit.ts', args, product.database.url, { env })
      const verified = async () => {
        const { out, code } = await run('verify', '--all', '--json')
        const lines = out.trimEnd().split('\n')
        return {
          code,
          faults: lines.map((line): { readonly fault?: object } => JSON.parse(line)).flatMap(({ fault = [] }) => fault),
        }
      }
      expect(await verified()).toEqual({ code: 0, faults: [] })

      const folder = await mkdtemp(join(tmpdir(), 'placard-kurrent-export-'))
      const file = join(folder, 'log.ndjson')
      type Keys = { readonly data: { readonly keys: readonly { readonly verifier_key: string }[] } }
      const keys = (await (await fetch(`${product.base}/v1/audit/keys`)).json()) as Keys
      const key = keys.data.keys[0]?.verifier_key ?? ''
      expect((await run('export', '--out', file)).code).toBe(0)
      expect((await run('verify-export', file, '--key', key)).code).toBe(0)
      await rm(folder, { recursive: true })

      // Later heads contain this one, also after the server was away.
      await server.kill()
      await server.revive()
      await eventually(
        () => ada.call('PUT', '/v1/campaign', { id: data.id, budget: 98 }),
        ({ code }) => code === 0,
      )
      const later = await head()
      const proof = await auditor.call<{ hashes: readonly string[] }>('GET', `/v1/audit/proof?from=${size}&to=${later}`)
      expect(later).toBeGreaterThan(size)
      expect(proof.data.hashes.length).toBeGreaterThan(0)

      const [event] = server.log.stream(streamOf(data.id))
      const honest = event?.data
      Object.assign(event ?? {}, { data: Buffer.from((honest?.toString() ?? '').replace(/"budget":\d+/, '"budget":1')) })
      const forged = await verified()
      Object.assign(event ?? {}, { data: honest })
      expect(forged.code).toBe(1)
      const named = { stream: streamOf(data.id), version: 1 }
      expect(forged.faults).toContainEqual(expect.objectContaining({ check: 'chain', ...named }))
      expect(forged.faults).toContainEqual(expect.objectContaining({ check: 'tree', ...named }))
    },
  )

  it('continues after the server was unavailable', async () => {
    const ada = await product.as('ada@nile.example')
    const { data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))
    await server.kill()
    const late = ada.call('PUT', '/v1/campaign', { id: data.id, budget: 99 })
    await new Promise((resolve) => setTimeout(resolve, 400))
    await server.revive()
    expect((await late).code).toBe(0)
    const seen = await eventually(
      () => ada.call('GET', `/v1/campaign/${data.id}`),
      (answer) => answer.status === 200 && answer.data.budget === 99,
    )
    expect(seen.data.budget).toBe(99)
  })
})

describe('the product while KurrentDB is away', () => {
  /** Writes wait this long, in place of 30 s. */
  const RETRY_FOR_MS = 2500
  let server: StandIn
  let product: TestProduct
  beforeAll(async () => {
    server = await startStandIn()
    const kurrentClocks = { ...CLOCKS, retryForMs: RETRY_FOR_MS, keepAliveIntervalMs: 200, keepAliveTimeoutMs: 300, pingMs: 500 }
    product = await startTestProduct({ EVENT_STORE_URL: server.url, LOG_LEVEL: 'silent' }, { kurrentClocks })
  })
  afterAll(async () => {
    await product.stop()
    await server.stop()
  })
  const ready = async () => {
    const since = performance.now()
    const response = await fetch(`${product.base}/health/ready`)
    const { away }: { readonly away: readonly string[] } = await response.json()
    return { status: response.status, away, ms: performance.now() - since }
  }
  const metric = async () =>
    /placard_outside_away\{name="KurrentDB"\} (\d)/.exec(await (await fetch(`${product.base}/metrics`)).text())?.[1]

  it.each(['frozen', 'stopped'] as const)(
    '%s: what needs the log is answered with 503, health names it, and all goes on when it is back',
    async (how) => {
      const ada = await product.as('ada@nile.example')
      const auditor = await product.as('auditor@dsp.example')
      const { data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))
      if (how === 'frozen') server.freeze()
      else await server.kill()
      const since = performance.now()
      const [list, ...answers] = await Promise.all([
        ada.call('POST', '/v1/campaign/list/v2', { page: 0, page_size: 25 }),
        auditor.call('GET', `/v1/campaign/${data.id}/events`),
        ...[1, 2, 3].map((budget) => ada.call('PUT', '/v1/campaign', { id: data.id, budget })),
      ])
      expect(list.status).toBe(200)
      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 503, code: 1 })
        expect(answer.headers.get('retry-after')).toBe('1')
        expect(answer.headers.get('cache-control')).toBe('no-store')
      }
      // Also the writes that queued behind the first one.
      expect(performance.now() - since).toBeLessThan(RETRY_FOR_MS + 1500)
      const away = await ready()
      expect(away).toMatchObject({ status: 200, away: ['KurrentDB'] })
      expect(away.ms).toBeLessThan(500)
      expect(await metric()).toBe('1')
      // A write without events is done, and answers with what it shows once.
      const made = await ada.call<{ key: string; position: string }>('POST', '/v1/user/api-keys', {
        name: `While it is ${how}`,
        scopes: ['read'],
        days: 30,
        password: PASSWORD,
      })
      expect(made).toMatchObject({ status: 200, data: { position: '0' } })
      if (how === 'frozen') server.thaw()
      else await server.revive()
      await eventually(ready, (health) => health.away.length === 0)
      expect(await metric()).toBe('0')
      expect((await ada.call('PUT', '/v1/campaign', { id: data.id, budget: 99 })).code).toBe(0)
      // The projector and the policies go on.
      await ada.call('POST', '/v1/campaign/saveAndPublish', { id: data.id })
      const moderator = await product.as('moderator@dsp.example')
      const pending = await ada.call('GET', `/v1/campaign/${data.id}`)
      await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', {
        campaign_id: data.id,
        moderation_start_at: pending.data.moderation_start_at,
      })
      await eventually(
        () => ada.call('GET', `/v1/campaign/${data.id}`),
        (answer) => answer.data.status_key === 3 && answer.data.budget === 99,
      )
    },
  )
})

it('a KurrentDB that does not respond stops the start with one line', async () => {
  const server = await startStandIn()
  await server.stop()
  const database = await createTestDatabase()
  const dir = await mkdtemp(join(tmpdir(), 'placard-kurrent-'))
  const env = {
    DATABASE_URL: database.url,
    EVENT_STORE_URL: server.url,
    PLACARD_DATA_DIR: dir,
    PLACARD_UNSAFE_DATABASE: 'on',
    LOG_LEVEL: 'silent',
  }
  await expect(startProduct(readConfig(env))).rejects.toThrow(`EVENT_STORE_URL: connection refused by 127.0.0.1:${server.port}`)
  await database.drop()
  await rm(dir, { recursive: true, force: true })
})

describe('a database with checkpoints of another log', () => {
  const startOn = async (database: TestDatabase, env: Record<string, string>) => {
    const dir = await mkdtemp(join(tmpdir(), 'placard-kurrent-'))
    try {
      const config = readConfig({
        DATABASE_URL: database.url,
        PLACARD_DATA_DIR: dir,
        LOG_LEVEL: 'silent',
        PORT: '0',
        PLACARD_UNSAFE_DATABASE: 'on',
        ...env,
      })
      await (await startProduct(config)).stop()
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  }

  it('a database with checkpoints of another log is refused at the start, in both directions, with one line', async () => {
    const server = await startStandIn()
    const [inPostgres, inKurrent] = [await createTestDatabase(), await createTestDatabase()]
    try {
      await startOn(inPostgres, {})
      await expect(startOn(inPostgres, { EVENT_STORE_URL: server.url })).rejects.toThrow(
        'EVENT_STORE_URL: the events of this database are in PostgreSQL; unset it, or use a new database',
      )
      await startOn(inKurrent, { EVENT_STORE_URL: server.url })
      await expect(startOn(inKurrent, {})).rejects.toThrow(
        'EVENT_STORE_URL: the events of this database are in KurrentDB; set it to that KurrentDB, or use a new database',
      )
      await startOn(inKurrent, { EVENT_STORE_URL: server.url })
    } finally {
      await server.stop()
      await inPostgres.drop()
      await inKurrent.drop()
    }
  })

  it('a database with checkpoints of another log is not claimed by a read-only tool', async () => {
    const server = await startStandIn()
    const database = await createTestDatabase()
    const dead = { EVENT_STORE_URL: 'kurrentdb://127.0.0.1:1?tls=false' }
    try {
      const unreached = await runTool('api/cli/projections.ts', ['status'], database.url, { env: dead })
      expect(unreached).toMatchObject({ code: 1, err: 'EVENT_STORE_URL: connection refused by 127.0.0.1:1\n' })
      const empty = await runTool('api/cli/audit.ts', ['verify', 'x'], database.url)
      expect(empty).toMatchObject({ code: 1, err: 'There is no campaign x in this log.\n' })
      await startOn(database, { EVENT_STORE_URL: server.url })
      const other = await runTool('api/cli/audit.ts', ['verify', 'x'], database.url)
      expect(other.err).toMatch(/^EVENT_STORE_URL: the events of this database are in KurrentDB; set it to that KurrentDB/)
    } finally {
      await server.stop()
      await database.drop()
    }
  })

  it('a database is recognised by its checkpoints when it used KurrentDB before the kind of log was stored', async () => {
    const server = await startStandIn()
    const database = await createTestDatabase()
    try {
      await startOn(database, { EVENT_STORE_URL: server.url })
      await database.pool.query("update es.subscriptions set position = 5 where name = 'campaign-list'")
      await database.pool.query('delete from es.log_kind')
      await database.pool.query("insert into es.log_kind (kind) values ('kurrentdb')")
      await expect(startOn(database, {})).rejects.toThrow('EVENT_STORE_URL: the events of this database are in KurrentDB')
      await startOn(database, { EVENT_STORE_URL: server.url })
    } finally {
      await server.stop()
      await database.drop()
    }
  })
})

it('a KurrentDB over TLS without credentials is refused at the start, not at the first write', async () => {
  const pool = createPool('postgres://localhost/none', { max: 1, applicationName: 'none' })
  const open = (eventStoreUrl: string) => openEventLog({ eventStoreUrl, unsafeDatabase: true }, { pool, url: '' })
  for (const url of ['kurrentdb://db:2113', 'esdb://db:2113?tls=true'])
    await expect(open(url)).rejects.toThrow('EVENT_STORE_URL: KurrentDB over TLS requires a user and a password')
  await pool.end()
})
