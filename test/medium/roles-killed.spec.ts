import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyStream } from '#proof/verify'
import { streamOf } from '#domain/campaign/state'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely } from '#platform/database/pool'
import { verify } from '#projections/projector/verify'
import { READ_MODELS } from '#projections/read-models'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { nodeRuns, startProductProcess } from '../support/product-process.ts'
import { eventually, publishable, signIn, type Campaignish, type Session } from '../support/product.ts'

/**
 * Processes of every role on one database; leading processes are killed and suspended while campaigns pass through their lives.
 */
describe('processes of every role', () => {
  let database: TestDatabase
  let dataDir = ''
  let base = ''
  let ada: Session
  let moderator: Session
  const living = new Map<string, ChildProcess>()
  const campaigns: string[] = []

  const start = async (name: string, role: string, env: Record<string, string> = {}) => {
    const started = await startProductProcess(nodeRuns('api/main.ts'), dataDir, {
      DATABASE_URL: database.url,
      PLACARD_ROLE: role,
      PLACARD_UNSAFE_DATABASE: 'on',
      PLACARD_EXCHANGE_REVIEW: 'instant',
      PLACARD_DEMO: 'off',
      ...env,
    })
    living.set(name, started.child)
    return started.base
  }
  const kill = async (name: string, signal: NodeJS.Signals = 'SIGKILL') => {
    const child = living.get(name)
    living.delete(name)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  beforeAll(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'placard-roles-'))
    // Start the api first: it must not depend on other roles.
    const api = start('api', 'api', { PLACARD_DEMO: 'on' })
    await Promise.all([
      start('projector a', 'projector'),
      start('projector b', 'projector'),
      start('policies a', 'policies'),
      start('policies b', 'policies'),
    ])
    base = await api
    ada = await signIn(base, 'ada@nile.example')
    moderator = await signIn(base, 'moderator@dsp.example')
  })
  afterAll(async () => {
    for (const name of living.keys()) await kill(name, 'SIGTERM')
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Takes a campaign from its first save to running, which needs projections for reads and policies for exchange decisions. */
  async function life(): Promise<void> {
    const { data } = await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(base, ada))
    campaigns.push(data.id)
    const approved = await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', {
      campaign_id: data.id,
      moderation_start_at: data.moderation_start_at,
    })
    expect(approved.code).toBe(0)
    const running = await eventually(
      () => ada.call<Campaignish>('GET', `/v1/campaign/${data.id}`),
      // A read may be answered with 503 until another process has taken over.
      (answer) => answer.status === 200 && answer.data.status_key === 3,
    )
    expect(running.data).toMatchObject({ status_key: 3 })
  }

  it('processes of every role work together', async () => {
    await Promise.all([life(), life(), life()])
  })

  it.each(['projector', 'policies'])('processes of every role replace killed %s one after the other', async (role) => {
    const lives = [life()]
    await kill(`${role} a`)
    lives.push(life())
    await Promise.all(lives)
    await start(`${role} c`, role)
    const more = [life()]
    await kill(`${role} b`)
    more.push(life())
    await Promise.all(more)
    await start(`${role} a`, role)
  })

  it('processes of every role accept a save while read models are behind, and answer a list with 503', async () => {
    const body = await publishable(base, ada)
    const projectors = [...living].flatMap(([name, child]) => (name.startsWith('projector') ? [child] : []))
    for (const child of projectors) child.kill('SIGSTOP')
    try {
      const first = await ada.call('POST', '/v1/campaign', body)
      const second = await ada.call('POST', '/v1/campaign', await publishable(base, ada))
      expect([first.code, second.code]).toEqual([0, 0])
      const list = await ada.call('POST', '/v1/campaign/list/v2', { page: 0, page_size: 10 })
      expect(list.status).toBe(503)
      expect(list.headers.get('retry-after')).toBe('1')
    } finally {
      for (const child of projectors) child.kill('SIGCONT')
    }
  })

  it.each(['projector', 'policies'])(
    'processes of every role replace hanging %s, which change nothing twice when they resume',
    async (role) => {
      const sleeper = living.get(`${role} c`)
      const other = living.get(`${role} a`)
      for (const child of [sleeper, other]) {
        child?.kill('SIGSTOP')
        try {
          await Promise.all([life(), life()])
        } finally {
          // A suspended process does not receive SIGTERM.
          child?.kill('SIGCONT')
        }
        await life()
      }
    },
  )

  it('processes of every role apply every event once, keep valid chains, and build the same read models as a rebuild', async () => {
    const store = createPostgresEventStore({ pool: database.pool, url: database.url })
    const db = createKysely(database.pool)
    try {
      for (const id of campaigns) {
        const events = await store.readStream(streamOf(id))
        expect(verifyStream(streamOf(id), events).faults).toEqual([])
        const launched = events.filter(({ type }) => type === 'CampaignLaunched')
        expect(launched).toHaveLength(1)
        const verdicts = events.flatMap(({ type, data }) => (type === 'ExchangeDecided' ? [data] : []))
        expect(new Set(verdicts).size).toBe(verdicts.length)
      }
      const settled = await ada.call('POST', '/v1/campaign/list/v2', { page: 0, page_size: 10 })
      expect(settled.status).toBe(200)
      for (const model of READ_MODELS) {
        const result = await verify(db, store, model)
        expect({ model: model.name, ...result }).toEqual({ model: model.name, kind: 'compared', differences: [] })
      }
    } finally {
      await store.close()
    }
  })
})
