import { sql, type Kysely } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import type { EventStore } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { rebuild } from '#projections/projector/rebuild'
import { verify } from '#projections/projector/verify'
import { createLeases } from '#projections/projector/leases'
import { listParked, retryParked } from '#projections/projector/parked'
import { startProjector, watchProjections, type Projector } from '#projections/projector/projector'
import type { ReadModel } from '#projections/projector/read-model'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/events.ts'
import { testClock } from '../support/test-clock.ts'

/** Counts events per stream; fails for an event of type `Bad` while `bad` is set. */
const counts = (
  over: {
    readonly version?: number
    readonly bad?: () => boolean
    readonly factor?: number
    readonly onFailure?: 'stop' | 'park'
  } = {},
): ReadModel => ({
  name: 'counts',
  version: over.version ?? 1,
  onFailure: over.onFailure ?? 'stop',
  tables: ['counts'],
  concerns: () => true,
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
  let db: Kysely<Db>
  let store: EventStore
  const projectors: Projector[] = []
  beforeEach(async () => {
    database = await createTestDatabase()
    db = createKysely(database.pool)
    store = createPostgresEventStore({ pool: database.pool, url: database.url })
  })
  afterEach(async () => {
    for (const projector of projectors.splice(0)) await projector.stop()
    await store.close()
    await database.drop()
  })

  const start = async (model: ReadModel) => {
    const { url } = database
    const leases = createLeases(db, url)
    const projector = await startProjector({ db, url, store, models: [model], leases, onError: () => {}, retryMs: [20] })
    const stop = async () => {
      await projector.stop()
      await leases.close()
    }
    projectors.push({ ...projector, stop })
    return { ...projector, stop }
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

  it('continues from its checkpoint after a restart and counts nothing twice', async () => {
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

  it('two projectors of one read model apply every event once', async () => {
    const pair = await Promise.all([start(counts()), start(counts())])
    let last = 0n
    for (let i = 0; i < 40; i++) last = await append('a', i)
    for (const one of pair) expect(await one.reached(last, 5000)).toBe(true)
    expect(await rows()).toEqual([{ stream: 'a', n: 40 }])
  })

  it('stops at an event it cannot apply, stores the reason, and continues once it can', async () => {
    let bad = true
    const projector = await start(counts({ bad: () => bad }))
    await append('a', 0)
    await append('a', 1, 'Bad')
    const last = await append('a', 2)
    const noted = sql<{ error: { message: string } | null }>`select error from es.subscriptions where name = 'counts'`
    await expect.poll(async () => (await noted.execute(db)).rows[0]?.error?.message).toBe('cannot be applied')
    expect(await projector.reached(last, 300)).toBe(false)
    expect(await rows()).toEqual([{ stream: 'a', n: 1 }])
    bad = false
    expect(await projector.reached(last, 3000)).toBe(true)
    expect(await rows()).toEqual([{ stream: 'a', n: 3 }])
  })

  it('builds a new version beside the live one: a reader sees either all old rows or all new ones', async () => {
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
    const certain = last
    const writer = new Client({ connectionString: database.url })
    await writer.connect()
    await writer.query('begin')
    await writer.query(
      `insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
       values ('open', 1, gen_random_uuid(), 'Good', 1, '{}', '{}')`,
    )
    for (let i = 12; i < 24; i++) last = await append('a', i)
    await projector.stop()
    const rebuilding = rebuild(db, store, counts({ version: 2 }))
    await eventually(async () => {
      const { rows } = await sql<{ position: string }>`select position from es.subscriptions where status = 'building'`.execute(
        db,
      )
      return BigInt(rows[0]?.position ?? 0) >= certain
    })
    await writer.query('commit')
    await writer.end()
    expect(await rebuilding).toMatchObject({ replaced: true })
    expect(await (await start(counts({ version: 2 }))).reached(last, 5000)).toBe(true)
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
    await rebuild(db, store, counts())
    expect(await rows()).toEqual(live)
  })

  it('verify finds rows that differ from the log, and a rebuild replaces them', async () => {
    const projector = await start(counts())
    let last = 0n
    for (let i = 0; i < 12; i++) last = await append(`s${i % 3}`, Math.floor(i / 3))
    await projector.reached(last, 5000)
    await sql`update rm_counts set n = 7 where stream = 's0'`.execute(db)
    await sql`delete from rm_counts where stream = 's1'`.execute(db)
    expect(await verify(db, store, counts())).toEqual({
      kind: 'compared',
      differences: [
        {
          table: 'counts',
          missing: 0,
          extra: 1,
          changed: 1,
          rows: [
            { key: ['s0'], kind: 'changed', columns: ['n'] },
            { key: ['s1'], kind: 'only-log', columns: [] },
          ],
        },
      ],
    })
    expect((await rows()).map(({ n }) => n)).toEqual([7, 4])
    expect(await rebuild(db, store, counts())).toMatchObject({ replaced: true })
    expect((await rows()).map(({ n }) => n)).toEqual([4, 4, 4])
    // The worker continues with the new generation.
    expect(await projector.reached(await append('s0', 4), 5000)).toBe(true)
    expect((await rows()).map(({ n }) => n)).toEqual([5, 4, 4])
    expect(await verify(db, store, counts())).toEqual({ kind: 'compared', differences: [] })
  })

  it('rebuilds under load lose no event and apply none twice', async () => {
    const projector = await start(counts())
    const expected = new Map<string, number>()
    let writing = true
    let last = 0n
    const writers = ['a', 'b', 'c', 'd'].map(async (stream) => {
      for (let version = 0; writing; version++) {
        const position = await append(stream, version)
        expected.set(stream, version + 1)
        if (position > last) last = position
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })
    await eventually(() => expected.size === 4 && Math.min(...expected.values()) > 5)
    const results = []
    for (let i = 0; i < 2; i++) {
      results.push(await rebuild(db, store, counts()))
      expect(await verify(db, store, counts())).toEqual({ kind: 'compared', differences: [] })
    }
    writing = false
    await Promise.all(writers)
    for (const one of results) expect(one).toMatchObject({ replaced: true })
    expect(await projector.reached(last, 5000)).toBe(true)
    expect(new Map((await rows()).map(({ stream, n }) => [stream, n]))).toEqual(expected)
  })

  it('a waiting process takes over when the holder of the lease stops', async () => {
    const owners = async () => (await sql`select distinct owner from es.leases where name = 'projector counts'`.execute(db)).rows
    const first = await start(counts())
    // Alone, so that it is the one that holds the lease.
    expect(await first.reached(await append('a', 0), 5000)).toBe(true)
    const second = await start(counts())
    expect(await second.reached(await append('a', 1), 5000)).toBe(true)
    const before = await owners()
    expect(before).toHaveLength(1)
    await first.stop()
    expect(await second.reached(await append('a', 2), 5000)).toBe(true)
    expect(await rows()).toEqual([{ stream: 'a', n: 3 }])
    expect(await owners()).not.toEqual(before)
  })

  describe('a stream that cannot be applied', () => {
    it('a stream that cannot be applied is parked while others continue, and is applied by a retry', async () => {
      let bad = true
      const model = counts({ bad: () => bad, onFailure: 'park' })
      const projector = await start(model)
      await append('a', 0)
      await append('a', 1, 'Bad')
      await append('a', 2)
      const last = await append('b', 0)
      expect(await projector.reached(last, 5000)).toBe(true)
      expect(await rows()).toEqual([
        { stream: 'a', n: 1 },
        { stream: 'b', n: 1 },
      ])
      expect(await listParked(db)).toMatchObject([{ name: 'counts', stream: 'a', message: 'cannot be applied' }])
      expect(await projector.lag(testClock.at())).toMatchObject([{ name: 'counts', parked: 1, seconds: 0 }])
      await projector.reached(await append('a', 3), 5000)
      await expect(retryParked(db, store, model, 'a')).rejects.toThrow('cannot be applied')
      expect(await listParked(db)).toHaveLength(1)
      bad = false
      await retryParked(db, store, model, 'a')
      expect(await listParked(db)).toEqual([])
      expect(await rows()).toEqual([
        { stream: 'a', n: 4 },
        { stream: 'b', n: 1 },
      ])
      await projector.reached(await append('a', 4), 5000)
      expect(await rows()).toMatchObject([{ n: 5 }, { n: 1 }])
    })

    it('ends a verification when the live generation has applied it', async () => {
      const projector = await start(counts())
      await append('b', 0)
      await append('a', 0, 'Bad')
      await projector.reached(await append('a', 1), 5000)
      const parking = counts({ bad: () => true, onFailure: 'park' })
      await expect(verify(db, store, parking)).rejects.toThrow('cannot be applied')
      expect(await rows()).toEqual([
        { stream: 'a', n: 2 },
        { stream: 'b', n: 1 },
      ])
      const { rows: left } = await sql`select from es.subscriptions where status <> 'live'`.execute(db)
      expect(left).toEqual([])
      expect(await listParked(db)).toEqual([])
    })

    it('ends a rebuild of a read model that parks no streams, and keeps the live rows', async () => {
      const projector = await start(counts())
      await append('a', 0, 'Bad')
      await projector.reached(await append('a', 1), 5000)
      await expect(rebuild(db, store, counts({ bad: () => true }))).rejects.toThrow('cannot be applied')
      expect(await rows()).toEqual([{ stream: 'a', n: 2 }])
      const { rows: left } = await sql`select from es.subscriptions where status <> 'live'`.execute(db)
      expect(left).toEqual([])
    })
  })

  it('another process is notified of progress', async () => {
    const projector = await start(counts())
    const watcher = await watchProjections({ db, url: database.url, store, models: [counts()] })
    projectors.push(watcher)
    await projector.reached(await append('a', 0), 5000)
    for (let i = 1; i < 10; i++) expect(await watcher.reached(await append('a', i), 5000)).toBe(true)
    expect(await watcher.reached(10_000n, 50)).toBe(false)
    expect(await watcher.unready()).toEqual([])
  })
})
