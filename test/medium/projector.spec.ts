import { sql, type Kysely } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPostgresEventStore } from '../../eventstore/postgres/postgres-event-store.ts'
import type { EventStore } from '../../eventstore/event-store.ts'
import { createKysely } from '../../platform/database/pool.ts'
import { newId } from '../../platform/ids.ts'
import { rebuildBeside } from '../../projections/projector/generations.ts'
import { startProjector, type Projector } from '../../projections/projector/projector.ts'
import type { ReadModel } from '../../projections/projector/read-model.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

/** Counts events per stream; stumbles over an event called `Bad` while `bad` says so. */
const counts = (over: { readonly version?: number; readonly bad?: () => boolean; readonly factor?: number } = {}): ReadModel => ({
  name: 'counts',
  version: over.version ?? 1,
  tables: ['counts'],
  create: async (db, tables) => {
    await sql`create table ${sql.table(tables['counts'] ?? '')} (stream text primary key, n integer not null)`.execute(db)
  },
  apply: async (db, tables, events) => {
    for (const event of events) {
      if (event.type === 'Bad' && over.bad?.() === true) throw new Error('cannot be applied')
      await sql`
        insert into ${sql.table(tables['counts'] ?? '')} as c values (${event.stream}, ${over.factor ?? 1})
        on conflict (stream) do update set n = c.n + ${over.factor ?? 1}`.execute(db)
    }
  },
})

describe('the projector', () => {
  let database: TestDatabase
  let db: Kysely<never>
  let store: EventStore
  const projectors: Projector[] = []
  beforeEach(async () => {
    database = await createTestDatabase()
    db = createKysely<never>(database.pool)
    store = createPostgresEventStore({ pool: database.pool, url: database.url })
  })
  afterEach(async () => {
    for (const projector of projectors.splice(0)) await projector.stop()
    await store.close()
    await database.drop()
  })

  const start = async (model: ReadModel) => {
    const projector = await startProjector({ db, store, models: [model], onError: () => {}, retryMs: [20] })
    projectors.push(projector)
    return projector
  }
  const append = async (stream: string, expected: number, type = 'Good') => {
    const result = await store.append({
      stream,
      expected,
      events: [{ id: newId(), type, schemaVersion: 1, data: '{}', metadata: '{}' }],
    })
    return result.kind === 'appended' ? result.position : 0n
  }
  const rows = async () =>
    (await sql<{ stream: string; n: number }>`select stream, n from rm_counts order by stream`.execute(db)).rows

  it('goes on from its checkpoint after a restart and counts nothing twice', async () => {
    const first = await start(counts())
    await first.reached(await append('a', 0), 2000)
    await first.stop()
    await append('a', 1)
    const second = await start(counts())
    expect(await second.reached(await append('b', 0), 2000)).toBe(true)
    expect(await rows()).toEqual([
      { stream: 'a', n: 2 },
      { stream: 'b', n: 1 },
    ])
  })

  it('two of them on one read model apply every event once', async () => {
    const pair = await Promise.all([start(counts()), start(counts())])
    let last = 0n
    for (let i = 0; i < 40; i++) last = await append('a', i)
    for (const one of pair) expect(await one.reached(last, 5000)).toBe(true)
    expect(await rows()).toEqual([{ stream: 'a', n: 40 }])
  })

  it('stops at an event it cannot apply, keeps what it had, says why, and goes on once it can', async () => {
    let bad = true
    const projector = await start(counts({ bad: () => bad }))
    await append('a', 0)
    await append('a', 1, 'Bad')
    const last = await append('a', 2)
    expect(await projector.reached(last, 300)).toBe(false)
    expect(await rows()).toEqual([{ stream: 'a', n: 1 }])
    const { rows: noted } = await sql<{
      error: { message: string }
    }>`select error from es.subscriptions where name = 'counts'`.execute(db)
    expect(noted[0]?.error.message).toBe('cannot be applied')
    bad = false
    expect(await projector.reached(last, 3000)).toBe(true)
    expect(await rows()).toEqual([{ stream: 'a', n: 3 }])
  })

  it('builds a new version beside the live one: readers never see an empty table, and get all of it at once', async () => {
    const old = await start(counts())
    let last = 0n
    for (let i = 0; i < 30; i++) last = await append(`s${i % 3}`, Math.floor(i / 3))
    await old.reached(last, 5000)
    await old.stop()
    const seen = new Set<string>()
    let reading = true
    const reader = (async () => {
      while (reading) seen.add(JSON.stringify((await rows()).map(({ n }) => n)))
    })()
    const next = await start(counts({ version: 2, factor: 10 }))
    await next.reached(last, 5000)
    reading = false
    await reader
    expect(await rows()).toEqual(['s0', 's1', 's2'].map((stream) => ({ stream, n: 100 })))
    for (const one of seen) expect(['[10,10,10]', '[100,100,100]']).toContain(one)
  })

  it('a rebuild during an open writer does not go live with rows missing', async () => {
    const projector = await start(counts())
    let last = 0n
    for (let i = 0; i < 12; i++) last = await append('a', i)
    const writer = new Client({ connectionString: database.url })
    await writer.connect()
    await writer.query('begin')
    await writer.query(
      `insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
       values ('open', 1, gen_random_uuid(), 'Good', 1, '{}', '{}')`,
    )
    for (let i = 12; i < 24; i++) last = await append('a', i)
    await projector.stop()
    const rebuilding = rebuildBeside(db, store, counts())
    await new Promise((resolve) => setTimeout(resolve, 400))
    await writer.query('commit')
    await writer.end()
    expect((await rebuilding).position).toBeGreaterThanOrEqual(last)
    expect(await rows()).toEqual([
      { stream: 'a', n: 24 },
      { stream: 'open', n: 1 },
    ])
  })

  it('a rebuild gives the same rows as the live read model', async () => {
    const projector = await start(counts())
    let last = 0n
    for (let i = 0; i < 20; i++) last = await append(`s${i % 4}`, Math.floor(i / 4))
    await projector.reached(last, 5000)
    const live = await rows()
    await projector.stop()
    await rebuildBeside(db, store, counts())
    expect(await rows()).toEqual(live)
  })
})
