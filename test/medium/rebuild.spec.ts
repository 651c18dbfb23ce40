import { setTimeout as delay } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { Client, Pool } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventStore, Page } from '../../eventstore/event-store.ts'
import { createPostgresEventStore } from '../../eventstore/postgres/postgres-event-store.ts'
import { createKysely } from '../../platform/database/pool.ts'
import { startBuild } from '../../projections/projector/build.ts'
import { flip } from '../../projections/projector/flip.ts'
import {
  beginBuilding,
  dropGeneration,
  dropRetired,
  ensureLive,
  liveGeneration,
} from '../../projections/projector/generations.ts'
import { createLeases, type Leases } from '../../projections/projector/leases.ts'
import { nearTheEnd } from '../../projections/projector/patience.ts'
import { startProjector, type Projector } from '../../projections/projector/projector.ts'
import type { Generation, ReadModel } from '../../projections/projector/read-model.ts'
import { rebuild } from '../../projections/projector/rebuild.ts'
import { counting } from '../chaos/counting.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, someEvents } from '../support/events.ts'

let database: TestDatabase
let db: Kysely<never>
let store: EventStore
let leases: Leases
let projector: Projector

beforeEach(async () => {
  database = await createTestDatabase()
  db = createKysely<never>(database.pool)
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

/** The store as a rebuild sees it when something happens whenever it has decided how far to go. */
function storeWith(happening: () => Promise<void>): EventStore {
  async function* scan(after: bigint): AsyncGenerator<Page> {
    await happening()
    yield* store.scan(after)
  }
  return { ...store, scan }
}

const eventsShown = async (): Promise<number | undefined> =>
  (await sql<{ events: number }>`select events from rm_chaos`.execute(db)).rows[0]?.events

test('a rebuild does not go live behind what readers have seen', async () => {
  let events = 10
  let last = 0n
  const busy = storeWith(async () => {
    last = await append(events, 1)
    events += 1
    await projector.reached(last, 5000)
  })
  const { live } = await rebuild(db, busy, counting())
  expect(events).toBeGreaterThan(10)
  expect(live?.positions).toEqual([last])
  expect(await eventsShown()).toBe(events)
})

test('a rebuild does not go live behind a page that is being committed', async () => {
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
  const { live } = await rebuild(db, busy, counting(), { mode: 'force' })
  expect(live?.positions).toEqual([last])
  expect(await eventsShown()).toBe(11)
  await committed
  await client.end()
})

/** Its rows are made page by page, and something happens when they are there. */
const inPages = (afterwards: (on: Kysely<never>) => Promise<void> = async () => {}): ReadModel => ({
  ...counting(),
  applyRun: async (on, tables, run, memory) => {
    for await (const events of run) await counting().apply(on, tables, events, memory)
  },
  index: afterwards,
})

/** Through a pool that is less patient than the product's. */
async function impatiently<T>(work: (on: Kysely<never>) => Promise<T>, limits: string): Promise<T> {
  const pool = new Pool({ connectionString: database.url, options: limits, max: 4 })
  try {
    return await work(createKysely<never>(pool))
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
  const rebuilt = await impatiently(
    (on) => rebuild(on, { ...store, scan }, inPages()),
    '-c idle_in_transaction_session_timeout=300',
  )
  expect(rebuilt).toMatchObject({ replaced: true, compared: true })
})

test('an index that takes longer than a statement may does not end a rebuild', async () => {
  const slow = inPages(async (on) => {
    await sql`select pg_sleep(0.7)`.execute(on)
  })
  const rebuilt = await impatiently((on) => rebuild(on, store, slow), '-c statement_timeout=300')
  expect(rebuilt).toMatchObject({ replaced: true, compared: true })
})

test('a comparison that takes longer than a statement may does not end a rebuild', async () => {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  let released: Promise<unknown> = Promise.resolve()
  // Whoever reads the live rows waits.
  const held = inPages(async () => {
    await client.query('begin; lock table rm_chaos__g1')
    released = delay(700).then(() => client.query('commit'))
  })
  const rebuilt = await impatiently((on) => rebuild(on, store, held), '-c statement_timeout=300')
  expect(rebuilt).toMatchObject({ replaced: true, compared: true })
  await released
  await client.end()
})

test('rows that are on their way hide no row that is wrong', async () => {
  await append(10, 1)
  await sql`insert into rm_chaos__g1 values ('wrong', 1, '')`.execute(db)
  // All that many streams get rows while the comparison is about to begin.
  const busy = inPages(async () => {
    const appends = Array.from({ length: 2500 }, (_, n) =>
      store.append({ stream: `busy-${n}`, expected: 0, events: someEvents(1) }),
    )
    const positions = (await Promise.all(appends)).map((result) => (result.kind === 'appended' ? result.position : 0n))
    await projector.reached(
      positions.reduce((most, position) => (position > most ? position : most)),
      20_000,
    )
  })
  expect(await rebuild(db, store, busy)).toMatchObject({
    replaced: false,
    compared: true,
    differences: [{ table: 'chaos', missing: 1, extra: 0, changed: 0 }],
  })
})

test('a rebuild with another number of shards is compared while the live ones are at different places', async () => {
  await rebuild(db, store, counting(), { shards: 2 })
  await projector.stop()
  // Of the two only the first is kept up.
  const share: Leases['share'] = async (_, names) => new Set(names.filter((name) => name.endsWith(' 0')))
  const { url } = database
  projector = await startProjector({ db, url, store, models: [counting()], leases: { ...leases, share }, onError: () => {} })
  let last = 0n
  for (let n = 0; n < 20; n++) {
    const result = await store.append({ stream: `s${n}`, expected: 0, events: someEvents(1) })
    if (result.kind === 'appended') last = result.position
  }
  const positions = async () => (await liveGeneration(db, 'chaos'))?.positions
  await eventually(async () => (await positions())?.[0] === last)
  expect((await positions())?.[1]).toBeLessThan(last)

  await sql`update rm_chaos set digest = 'wrong' where stream = 'a'`.execute(db)
  expect(await rebuild(db, store, counting(), { shards: 3 })).toMatchObject({
    replaced: false,
    compared: true,
    differences: [{ table: 'chaos', missing: 0, extra: 0, changed: 1 }],
  })
  await rebuild(db, store, counting(), { mode: 'force' })
  expect(await rebuild(db, store, counting(), { shards: 3 })).toMatchObject({ replaced: true, compared: true })
})

test('a rebuild does not replace a generation that it was not compared with', async () => {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  let other: Promise<unknown> = Promise.resolve()
  // Whoever reads the live rows waits until others are live.
  const held = inPages(async () => {
    await client.query('begin; lock table rm_chaos__g1')
    other = rebuild(db, store, counting(), { mode: 'force' }).then(() => client.query('commit'))
  })
  expect(await rebuild(db, store, held)).toMatchObject({ replaced: false, compared: false, live: { generation: 3 } })
  await other
  await client.end()
})

test('a rebuild is compared with rows that go on changing at the events they had', async () => {
  let events = 10
  const goOn = async () => {
    await projector.reached(await append(events, 1), 5000)
    events += 1
  }
  const once = (work: () => Promise<void>) => {
    let done: Promise<void> | undefined
    return () => (done ??= work())
  }
  const nothing = async () => {}
  // When it is known how far the building rows are to go, and while it is read what the live ones have beyond them.
  let [later, meanwhile] = [nothing, nothing]
  const compared = inPages(async () => {
    await goOn()
    later = once(goOn)
    meanwhile = once(goOn)
  })
  const busy = storeWith(() => later())
  const readAll: EventStore['readAll'] = async (after, limit) => {
    await meanwhile()
    return store.readAll(after, limit)
  }
  expect(await rebuild(db, { ...busy, readAll }, compared)).toMatchObject({ replaced: true, compared: true })
  expect(await eventsShown()).toBe(13)
})

test('nobody waits long for a write to become readable while a rebuild takes in what came meanwhile', async () => {
  const busy = inPages(async () => {
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
    // While the many are on their way it is they that a write waits for, and not the rebuild.
    const crowded = (await liveGeneration(db, 'chaos'))?.positions.some((at) => at + 100n < position) === true
    const began = performance.now()
    await projector.reached(position, 60_000)
    if (!crowded) longest = Math.max(longest, performance.now() - began)
    await delay(20)
  }
  expect(await rebuilding).toMatchObject({ replaced: true, compared: true })
  expect(longest).toBeLessThan(1500)
}, 120_000)

/** Reading the log takes so long, as often as that. */
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

test('a log that is read slowly keeps no rebuild from taking in what came meanwhile', async () => {
  const late = inPages(async () => {
    await projector.reached(await append(10, 1), 5000)
  })
  const rebuilt = await impatiently((on) => rebuild(on, slowly(store, 4000, Infinity), late), HANGING)
  expect(rebuilt).toMatchObject({ replaced: true, compared: true })
  expect(await eventsShown()).toBe(11)
}, 60_000)

test('a log that is read slowly when a rebuild is to go live makes it come again', async () => {
  let events = 10
  const busy = storeWith(async () => {
    await projector.reached(await append(events, 1), 5000)
    events += 1
  })
  const rebuilt = await impatiently((on) => rebuild(on, slowly(busy, 4000, 2), counting(), { mode: 'force' }), HANGING)
  expect(rebuilt).toMatchObject({ replaced: true })
  expect(await eventsShown()).toBe(events)
}, 60_000)

test('a rebuild waits for a long reader of what it replaces, and lets others by', async () => {
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
  expect(await rebuilding).toMatchObject({ replaced: true, compared: true })
  expect(longest).toBeLessThan(1500)
  await ended
  await reader.end()
}, 60_000)

test('a rebuild waits for a writer who leaves it uncertain what the live rows have passed', async () => {
  const other = createPostgresEventStore(database)
  const writer = new Client({ connectionString: database.url })
  await writer.connect()
  let ended: Promise<unknown> = Promise.resolve()
  const uncertain = inPages(async () => {
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
  expect(await rebuild(db, other, uncertain)).toMatchObject({ replaced: true, compared: true })
  expect(await eventsShown()).toBe(11)
  await ended
  await writer.end()
  await other.close()
}, 60_000)

test('what a rebuild leaves behind is dropped while the product runs, but not under who still reads it', async () => {
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
  await eventually(async () => (await tables()) === 'rm_chaos__g2', 15_000)
  expect(await eventsShown()).toBe(10)
})

test('a build that slept until it was removed does not go live', async () => {
  const model: ReadModel = { ...counting(), onFailure: 'park' }
  const building = await beginBuilding(db, model, 1)
  const build = startBuild({ db, store, model, asideAtMost: 0 }, building, new Map())
  const goals = async () => [await store.head()]
  await build.follow(await goals())
  await dropGeneration(db, 'chaos', building.generation)
  const end = nearTheEnd(build, goals, undefined, () => flip(db, store, build, () => true))
  await expect(end).rejects.toThrow('generation 2 of chaos is not what was built any more')
  expect(await eventsShown()).toBe(10)
})

test('a build that slept until it was removed takes nothing of the next one with it', async () => {
  let next: Generation | undefined
  const asleep = storeWith(async () => {
    if (next !== undefined) return
    await dropGeneration(db, 'chaos', 2)
    next = await beginBuilding(db, counting(), 1)
    await startBuild({ db, store, model: counting(), asideAtMost: 0 }, next, new Map()).follow([await store.head()])
  })
  await expect(rebuild(db, asleep, counting())).rejects.toThrow()
  expect(next?.generation).toBe(3)
  expect((await sql`select events from rm_chaos__g3`.execute(db)).rows).toEqual([{ events: 10 }])
})

test('what goes live stays so when the server crashes', async () => {
  const pool = new Pool({ connectionString: database.url, options: '-c synchronous_commit=off', max: 2 })
  const on = createKysely<never>(pool)
  const waits: string[] = []
  const look = async (trx: Kysely<never>) => {
    const { rows } = await sql<{ setting: string }>`select current_setting('synchronous_commit') as setting`.execute(trx)
    for (const { setting } of rows) waits.push(setting)
  }
  const model: ReadModel = {
    ...counting(),
    apply: async (trx, tables, events, memory) => {
      await look(trx)
      await counting().apply(trx, tables, events, memory)
    },
  }
  // Nothing of it is there before it goes live: all is applied under the lock.
  const build = startBuild({ db: on, store, model, asideAtMost: 0 }, await beginBuilding(on, model, 1), new Map())
  expect(await flip(on, store, build, () => true)).toMatchObject({ replaced: true })
  const create: ReadModel['create'] = async (trx, tables) => {
    await look(trx)
    await sql`create table ${sql.table(tables['new'] ?? '')} ()`.execute(trx)
  }
  await ensureLive(on, { ...counting(), name: 'new', tables: ['new'], create })
  await pool.end()
  expect(waits).toEqual(['on', 'on'])
})
