import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProduct, type Product } from '#api/compose'
import { demoConfig } from '../support/demo-config.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { runTool } from '../support/command-line.ts'
import { eventually, publishable, signIn } from '../support/product.ts'

/** Several processes on one database, as docker-compose.yml starts them. */
/** Processes of one role write lines of JSON alone. */
const lastMessage = ({ out }: { readonly out: string }): unknown =>
  (JSON.parse(out.trim().split('\n').at(-1) ?? '') as { readonly msg?: unknown }).msg

describe('processes of every role', () => {
  let database: TestDatabase
  let dataDir = ''
  const running: Product[] = []
  const settings = (role: string) => ({
    DATABASE_URL: database.url,
    PLACARD_DATA_DIR: dataDir,
    PLACARD_ROLE: role,
    PORT: '0',
    LOG_LEVEL: 'silent',
    PLACARD_DEMO: role === 'policies' ? 'off' : 'on',
    PLACARD_DEMO_DELIVERY: 'off',
    PLACARD_UNSAFE_DATABASE: 'on',
    PLACARD_SERVICE_TOKEN: 'a-service-token-of-32-characters-or-more',
  })
  async function start(role: string): Promise<Product> {
    const product = await startProduct(demoConfig(settings(role)))
    running.push(product)
    return product
  }
  const healthOf = async ({ healthAddress }: Product) => {
    const response = await fetch(`${healthAddress}/health/ready`)
    const body: { readonly status: string; readonly waiting: readonly string[]; readonly away: readonly string[] } =
      await response.json()
    return { http: response.status, ...body }
  }

  beforeAll(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'placard-surroundings-'))
  })
  afterAll(async () => {
    for (const product of running.reverse()) await product.stop()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  // covers FP-67
  it('processes of every role answer /health and /metrics, and five of them need 60 connections at most', async () => {
    const projector = await start('projector')
    const all = [projector, await start('projector'), await start('api'), await start('api'), await start('policies')]
    for (const product of all) {
      expect((await fetch(`${product.healthAddress}/health/live`)).status).toBe(200)
      await eventually(
        () => healthOf(product),
        ({ http, status }) => http === 200 && status === 'ok',
      )
      expect(await (await fetch(`${product.healthAddress}/metrics`)).text()).toContain('placard_projection_lag_seconds')
    }
    // Health and metrics alone.
    expect((await fetch(`${projector.healthAddress}/v1/geo/country`)).status).toBe(404)
    const addresses = all.flatMap(({ address }) => (address === null ? [] : [address]))
    expect(addresses).toHaveLength(2)
    const sessions = await Promise.all(addresses.map((address) => signIn(address, 'ada@nile.example')))
    const [ada] = sessions
    if (ada === undefined) throw new Error('no session')
    const most = { connections: 0 }
    let isOver = false
    const counting = (async () => {
      while (!isOver) {
        const { rows } = await database.pool.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name like 'placard%'`,
        )
        most.connections = Math.max(most.connections, rows[0]?.n ?? 0)
      }
    })()
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        (sessions[n % 2] ?? ada).call('POST', '/v1/campaign/list/v2', { page: 0, page_size: 25 }),
      ),
    )
    isOver = true
    await counting
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, () => 200))
    expect(most.connections).toBeGreaterThan(20)
    expect(most.connections).toBeLessThanOrEqual(60)
  })

  // covers FP-67
  it('processes of every role serve without a projector, and say that read models are behind', async () => {
    const api = running[2]
    if (api?.address == null) throw new Error('no api')
    const ada = await signIn(api.address, 'ada@nile.example')
    const body = await publishable(api.address, ada)
    for (const product of running.splice(0, 2)) await product.stop()
    const saved = await ada.call('POST', '/v1/campaign', body)
    expect(saved).toMatchObject({ status: 200, code: 0 })
    const behind = await eventually(
      () => healthOf(api),
      ({ status }) => status === 'degraded',
    )
    expect(behind.http).toBe(200)
    expect(behind.waiting).toContain('campaign-list')
    expect((await ada.call('POST', '/v1/campaign/list/v2', {}, { 'x-position': '0' })).status).toBe(200)
    await start('projector')
    await eventually(
      () => healthOf(api),
      ({ status }) => status === 'ok',
    )
  })

  it('processes of every role answer 503, name the full disk and count it when PostgreSQL has no space', async () => {
    const api = running.find(({ address }) => address !== null)
    if (api?.address == null) throw new Error('no api')
    await database.pool.query(`
      create function full_disk() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
      create trigger full_disk before insert on identity.session_families execute function full_disk()`)
    const body = new URLSearchParams({ grant_type: 'password', username: 'bola@lagos.example', password: 'Placard#2026' })
    const refused = await fetch(`${api.address}/v1/oauth/token`, { method: 'POST', body })
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).not.toBeNull()
    expect(await healthOf(api)).toMatchObject({ http: 200, status: 'degraded', away: ['PostgreSQL disk'] })
    expect(await (await fetch(`${api.address}/metrics`)).text()).toMatch(/placard_database_refusals_total\{reason="disk"\} [1-9]/)
    await database.pool.query('drop trigger full_disk on identity.session_families')
    expect((await fetch(`${api.address}/v1/oauth/token`, { method: 'POST', body })).status).toBe(200)
  })

  it('processes of every role do not start with a log that ends before the read models', async () => {
    await database.pool.query(`update es.subscriptions set position = position + 500 where name = 'campaign-list'`)
    const failed = await runTool('api/main.ts', [], database.url, { env: { ...settings('api'), PLACARD_DEMO: 'off' } })
    expect(failed.code).toBe(1)
    expect(lastMessage(failed)).toMatch(/^EVENT_STORE_URL: the log ends at \d+, and the read model campaign-list is at \d+/)
    await database.pool.query(`update es.subscriptions set position = position - 500 where name = 'campaign-list'`)
  })

  it('processes of every role do not start on the database of a newer build, and say so in one line', async () => {
    await database.pool.query(`insert into kysely_migration (name, timestamp) values ('9999_future', now()::text)`)
    const failed = await runTool('api/main.ts', [], database.url, { env: { ...settings('api'), PLACARD_DEMO: 'off' } })
    expect(failed.code).toBe(1)
    expect(lastMessage(failed)).toMatch(/^DATABASE_URL: this database was upgraded by a newer build \(migration 9999_future\)/)
  })
})
