import { setTimeout as delay } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { Client, Pool } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventStore, Page } from '#eventstore/event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { startBuild } from '#projections/projector/build'
import { flip } from '#projections/projector/flip'
import { beginBuilding, dropGeneration, dropRetired, ensureLive, liveGeneration } from '#projections/projector/generations'
import { createLeases, type Leases } from '#projections/projector/leases'
import { startProjector, type Projector } from '#projections/projector/projector'
import type { Generation, ReadModel } from '#projections/projector/read-model'
import { rebuild } from '#projections/projector/rebuild'
import { verify } from '#projections/projector/verify'
import { refuseOlderLog } from '#api/wiring/event-log'
import { counting } from '../chaos/counting.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, someEvents } from '../support/events.ts'

let database: TestDatabase
let db: Kysely<Db>
let store: EventStore
let leases: Leases
let projector: Projector

beforeEach(async () => {
  database = await createTestDatabase()
  db = createKysely(database.pool)
  store = createPostgresEventStore(database)
  const { url } = database
  leases = createLeases(db, url)
  projector = await startProjector({ db, url, store, models: [counting()], leases, onError: () => {} })
  expect(await projector.reached(await append(0, 10), 5000)).toBe(true)
})

afterEach(async () => {
  await projector.stop()
  await leases.close()
  await store.close()
  await database.drop()
})

async function append(expected: number, count: number): Promise<bigint> {
  const result = await store.append({ stream: 'a', expected, events: someEvents(count) })
  if (result.kind === 'conflict') throw new Error('a stream of one writer')
  return result.position
}

/** The store; `concurrently` runs at the beginning of every scan. */
function storeWith(concurrently: () => Promise<void>): EventStore {
  async function* scan(after: bigint): AsyncGenerator<Page> {
    await concurrently()
    yield* store.scan(after)
  }
  return { ...store, scan }
}

const eventsShown = async (): Promise<number | undefined> =>
  (await sql<{ events: number }>`select events from rm_chaos`.execute(db)).rows[0]?.events

test('does not go live behind what readers have seen', async () => {
  let events = 10
  let last = 0n
  const busy = storeWith(async () => {
    last = await append(events, 1)
    events += 1
    await projector.reached(last, 5000)
  })
  const { live } = await rebuild(db, busy, counting())
  expect(events).toBeGreaterThan(10)
  expect(live?.position).toBe(last)
  expect(await eventsShown()).toBe(events)
})

test('does not go live behind a page that is being committed', async () => {
  await projector.stop()
  let last = 0n
  const client = new Client({ connectionString: database.url })
  await client.connect()
  let committed: Promise<unknown> = Promise.resolve()
  const busy = storeWith(async () => {
    last = await append(10, 1)
    await client.query('begin')
    await client.query(`update es.subscriptions set position = $1 where name = 'chaos' and status = 'live'`, [last])
    committed = new Promise((resolve) => setTimeout(resolve, 400)).then(() => client.query('commit'))
  })
  const { live } = await rebuild(db, busy, counting())
  expect(live?.position).toBe(last)
  expect(await eventsShown()).toBe(11)
  await committed
  await client.end()
})

/** `afterwards` runs once the rows are built. */
const indexed = (afterwards: () => Promise<void>): ReadModel => ({ ...counting(), index: afterwards })

/** Runs the work on a pool with these settings. */
async function withSettings<T>(work: (on: Kysely<Db>) => Promise<T>, limits: string): Promise<T> {
  const pool = new Pool({ connectionString: database.url, options: limits, max: 4 })
  try {
    return await work(createKysely(pool))
  } finally {
    await pool.end()
  }
}

test('a log that is read slowly does not end a rebuild', async () => {
  async function* scan(after: bigint): AsyncGenerator<Page> {
    for await (const page of store.scan(after)) {
      await delay(700)
      yield page
    }
  }
  const rebuilt = await withSettings(
    (on) => rebuild(on, { ...store, scan }, counting()),
    '-c idle_in_transaction_session_timeout=300',
  )
  expect(rebuilt).toMatchObject({ replaced: true })
})

test('verify finds a wrong row while many rows are written', async () => {
  await append(10, 1)
  await sql`insert into rm_chaos__g1 values ('wrong', 1, '')`.execute(db)
  let happened: Promise<void> | undefined
  const appendMany = async () => {
    const appends = Array.from({ length: 2500 }, (_, n) =>
      store.append({ stream: `busy-${n}`, expected: 0, events: someEvents(1) }),
    )
    const positions = (await Promise.all(appends)).map((result) => (result.kind === 'appended' ? result.position : 0n))
    await projector.reached(
      positions.reduce((most, position) => (position > most ? position : most)),
      20_000,
    )
  }
  const busy = storeWith(() => (happened ??= appendMany()))
  expect(await verify(db, busy, counting())).toEqual({
    kind: 'compared',
    differences: [
      { table: 'chaos', missing: 1, extra: 0, changed: 0, rows: [{ key: ['wrong'], kind: 'only-live', columns: [] }] },
    ],
  })
})

test('verify does not compare with a generation that went live during the verification', async () => {
  let happened: Promise<unknown> | undefined
  const busy = storeWith(async () => void (await (happened ??= rebuild(db, store, counting()))))
  expect(await verify(db, busy, counting())).toEqual({ kind: 'changed' })
})

test('verify compares at one position while the live rows change', async () => {
  let events = 10
  const appendOne = async () => {
    await projector.reached(await append(events, 1), 5000)
    events += 1
  }
  let happened: Promise<void> | undefined
  const busy: EventStore = {
    ...store,
    async *scan(after) {
      await appendOne()
      yield* store.scan(after)
    },
    // Between the snapshot of the live rows and their comparison.
    readAll: async (after, limit) => {
      await (happened ??= appendOne())
      return store.readAll(after, limit)
    },
  }
  expect(await verify(db, busy, counting())).toEqual({ kind: 'compared', differences: [] })
  expect(happened).toBeDefined()
  expect(await eventsShown()).toBe(events)
})

test('a rebuild that catches up delays no write by more than 1.5 seconds', async () => {
  const busy = indexed(async () => {
    const appends = Array.from({ length: 20 }, (_, n) =>
      store.append({ stream: `busy-${n}`, expected: 0, events: someEvents(1000) }),
    )
    const positions = (await Promise.all(appends)).map((result) => (result.kind === 'appended' ? result.position : 0n))
    await projector.reached(
      positions.reduce((most, position) => (position > most ? position : most)),
      60_000,
    )
  })
  let building = true
  const rebuilding = rebuild(db, store, busy).finally(() => (building = false))
  let longest = 0
  let events = 10
  while (building) {
    const position = await append(events, 1)
    events += 1
    // Not measured while the many events are applied: the write then waits for them, not for the rebuild.
    const at = (await liveGeneration(db, 'chaos'))?.position ?? 0n
    const crowded = at + 100n < position
    const began = performance.now()
    await projector.reached(position, 60_000)
    if (!crowded) longest = Math.max(longest, performance.now() - began)
    await delay(20)
  }
  expect(await rebuilding).toMatchObject({ replaced: true })
  expect(longest).toBeLessThan(1500)
})

/** The store; this many reads are this slow. */
function slowly(from: EventStore, milliseconds: number, times: number): EventStore {
  let left = times
  const readAll: EventStore['readAll'] = async (after, limit) => {
    if (left > 0) {
      left -= 1
      await delay(milliseconds)
    }
    return from.readAll(after, limit)
  }
  return { ...from, readAll }
}

const HANGING = '-c idle_in_transaction_session_timeout=3000'

test('a rebuild goes live although the log is read slowly', async () => {
  const late = indexed(async () => {
    await projector.reached(await append(10, 1), 5000)
  })
  const rebuilt = await withSettings((on) => rebuild(on, slowly(store, 4000, Infinity), late), HANGING)
  expect(rebuilt).toMatchObject({ replaced: true })
  expect(await eventsShown()).toBe(11)
})

test('a flip is retried when the log is read slowly', async () => {
  let events = 10
  const busy = storeWith(async () => {
    await projector.reached(await append(events, 1), 5000)
    events += 1
  })
  const rebuilt = await withSettings((on) => rebuild(on, slowly(busy, 4000, 2), counting()), HANGING)
  expect(rebuilt).toMatchObject({ replaced: true })
  expect(await eventsShown()).toBe(events)
})

test('a rebuild waits for a long reader and lets other readers through', async () => {
  const reader = new Client({ connectionString: database.url })
  await reader.connect()
  await reader.query('begin')
  await reader.query('select * from rm_chaos')
  const ended = delay(5000).then(() => reader.query('commit'))
  let building = true
  const rebuilding = rebuild(db, store, counting()).finally(() => (building = false))
  let longest = 0
  while (building) {
    const began = performance.now()
    await eventsShown()
    longest = Math.max(longest, performance.now() - began)
    await delay(20)
  }
  expect(await rebuilding).toMatchObject({ replaced: true })
  expect(longest).toBeLessThan(1500)
  await ended
  await reader.end()
})

test('a rebuild waits for an open writer below the live position', async () => {
  const other = createPostgresEventStore(database)
  const writer = new Client({ connectionString: database.url })
  await writer.connect()
  let ended: Promise<unknown> = Promise.resolve()
  const uncertain = indexed(async () => {
    await writer.query('begin')
    await writer.query(
      `insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
       values ('never', 1, gen_random_uuid(), 'Noted', 1, '{}', '{}')`,
    )
    await writer.query('rollback')
    await projector.reached(await append(10, 1), 5000)
    await writer.query('begin; lock table es.events in row exclusive mode')
    ended = delay(2500).then(() => writer.query('commit'))
  })
  expect(await rebuild(db, other, uncertain)).toMatchObject({ replaced: true })
  expect(await eventsShown()).toBe(11)
  await ended
  await writer.end()
  await other.close()
})

test('drops replaced generations while the product runs, but never under a reader', async () => {
  const tables = async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relname like 'rm_chaos__g%' and relkind = 'r' order by 1`.execute(db)
    return rows.map(({ name }) => name).join(' ')
  }
  await rebuild(db, store, counting())
  await dropRetired(db, 'chaos')
  expect(await tables()).toBe('rm_chaos__g1 rm_chaos__g2')
  const reader = new Client({ connectionString: database.url })
  await reader.connect()
  await reader.query('begin')
  const read = async () => (await reader.query('select events from rm_chaos__g1')).rows
  expect(await read()).toEqual([{ events: 10 }])
  await sql`update es.subscriptions set updated_at = now() - interval '2 minutes' where generation = 1`.execute(db)
  await dropRetired(db, 'chaos')
  expect(await read()).toEqual([{ events: 10 }])
  await reader.query('commit')
  await reader.end()
  await eventually(async () => (await tables()) === 'rm_chaos__g2')
  expect(await eventsShown()).toBe(10)
})

test('does not go live after its generation was dropped', async () => {
  const model: ReadModel = { ...counting(), onFailure: 'park' }
  const building = await beginBuilding(db, model)
  const build = startBuild({ db, store, model, parkAtMost: 0 }, building)
  await build.follow(await store.head())
  await dropGeneration(db, 'chaos', building.generation)
  await expect(flip(db, store, build, () => true)).rejects.toThrow('generation 2 of chaos was dropped or changed')
  expect(await eventsShown()).toBe(10)
})

test.each([false, true])(
  'rebuilds a read model beyond the end of an older log, so that the start goes on: loaded %s',
  async (loaded) => {
    await projector.stop()
    await sql`update es.subscriptions set position = position + 700 where name = 'chaos'`.execute(db)
    await sql`update rm_chaos__g1 set events = 710`.execute(db)
    await expect(refuseOlderLog(database.pool, store)).rejects.toThrow('npm run projections -- rebuild')
    expect(await verify(db, store, counting())).toMatchObject({ kind: 'compared', differences: [{ changed: 1 }] })
    const load: ReadModel['load'] = (tables) => ({
      add: async () => undefined,
      take: (all) => async (trx) => {
        if (all) await sql`insert into ${sql.table(tables['chaos'] ?? '')} values ('a', 10, '')`.execute(trx)
      },
    })
    const { replaced, live } = await rebuild(db, store, loaded ? { ...counting(), load } : counting())
    expect([replaced, live?.position]).toEqual([true, await store.head()])
    expect(await eventsShown()).toBe(10)
    await refuseOlderLog(database.pool, store)
  },
)

test('does not touch the next build when it resumes after its own was dropped', async () => {
  let next: Generation | undefined
  const asleep = storeWith(async () => {
    if (next !== undefined) return
    await dropGeneration(db, 'chaos', 2)
    next = await beginBuilding(db, counting())
    await startBuild({ db, store, model: counting(), parkAtMost: 0 }, next).follow(await store.head())
  })
  await expect(rebuild(db, asleep, counting())).rejects.toThrow()
  expect(next?.generation).toBe(3)
  expect((await sql`select events from rm_chaos__g3`.execute(db)).rows).toEqual([{ events: 10 }])
})

test('makes a flip durable before it is visible', async () => {
  const pool = new Pool({ connectionString: database.url, options: '-c synchronous_commit=off', max: 2 })
  const on = createKysely(pool)
  const settings: string[] = []
  const readSetting = async (trx: Kysely<Db>) => {
    const { rows } = await sql<{ setting: string }>`select current_setting('synchronous_commit') as setting`.execute(trx)
    for (const { setting } of rows) settings.push(setting)
  }
  const model: ReadModel = {
    ...counting(),
    apply: async (trx, tables, events, memory) => {
      await readSetting(trx)
      await counting().apply(trx, tables, events, memory)
    },
  }
  // The build is empty: the flip applies everything under the lock.
  const build = startBuild({ db: on, store, model, parkAtMost: 0 }, await beginBuilding(on, model))
  expect(await flip(on, store, build, () => true)).toMatchObject({ replaced: true })
  const create: ReadModel['create'] = async (trx, tables) => {
    await readSetting(trx)
    await sql`create table ${sql.table(tables['new'] ?? '')} ()`.execute(trx)
  }
  await ensureLive(on, { ...counting(), name: 'new', tables: ['new'], create })
  await pool.end()
  expect(settings).toEqual(['on', 'on'])
})
