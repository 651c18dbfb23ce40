import { setTimeout as delay } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventStore, Page } from '#eventstore/event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { dropRetired } from '#projections/projector/generations'
import { createLeases } from '#projections/projector/leases'
import { startProjector, watchProjections, type Projector } from '#projections/projector/projector'
import type { ReadModel } from '#projections/projector/read-model'
import { rebuild } from '#projections/projector/rebuild'
import { counting } from '../chaos/counting.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, someEvents } from '../support/events.ts'

let database: TestDatabase
let db: Kysely<Db>
let store: EventStore
const stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  db = createKysely(database.pool)
  store = createPostgresEventStore(database)
})

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  await store.close()
  await database.drop()
})

async function start(models: readonly ReadModel[], onError = (_model: string, _error: unknown) => {}): Promise<Projector> {
  const { url } = database
  const leases = createLeases(db, url)
  const projector = await startProjector({ db, url, store, models, leases, onError, retryMs: [20], retryBuildMs: [100] })
  let stopping: Promise<void> | undefined
  const stop = () => (stopping ??= projector.stop().then(() => leases.close()))
  stops.push(stop)
  return { ...projector, stop }
}

async function append(stream: string, expected: number): Promise<bigint> {
  const result = await store.append({ stream, expected, events: someEvents(1) })
  if (result.kind === 'conflict') throw new Error('a stream of one writer')
  return result.position
}

/** Brings a read model of the older version up to the end of a short log. */
async function live(events = 10): Promise<void> {
  const older = await start([counting()])
  let last = 0n
  for (let n = 0; n < events; n++) last = await append(`s${n}`, 0)
  expect(await older.reached(last, 5000)).toBe(true)
  await older.stop()
}

/** The next version; `before` runs before every event. */
const raised = (before: () => Promise<void> = async () => {}): ReadModel => ({
  ...counting(),
  version: 2,
  apply: async (on, tables, events, memory) => {
    for (const event of events) {
      await before()
      await counting().apply(on, tables, [event], memory)
    }
  },
})

/** Another read model of the same events. */
const other: ReadModel = {
  ...counting(),
  name: 'other',
  tables: ['other'],
  create: (on, tables) => counting().create(on, { chaos: tables['other'] ?? '' }),
  apply: (on, tables, events, memory) => counting().apply(on, { chaos: tables['other'] ?? '' }, events, memory),
}

const versions = async () =>
  (await sql<{ version: number }>`select version from es.subscriptions where name = 'chaos' and status = 'live'`.execute(db)).rows
const rowsOf = async (view: string) =>
  (await sql<{ n: number }>`select count(*)::int as n from ${sql.table(view)}`.execute(db)).rows[0]?.n

test('a process starts only once its versions are live', async () => {
  await live()
  const projector = await start([raised()])
  expect(await versions()).toEqual([{ version: 2 }])
  expect(await rowsOf('rm_chaos')).toBe(10)
  expect(await projector.unready()).toEqual([])
})

test('a process starts although a raised version cannot apply an event, and retries the build', async () => {
  await live()
  let broken = true
  const reported: string[] = []
  const bad = raised(async () => {
    if (broken) throw new Error('cannot be applied')
  })
  const projector = await start([bad, other], (model, error) => reported.push(`${model}: ${String(error)}`))
  expect(reported).toEqual(['chaos: Error: cannot be applied'])
  // The old rows stay, the other read model continues, and the process is not ready.
  expect(await rowsOf('rm_chaos')).toBe(10)
  expect(await projector.reached(await append('t', 0), 5000, ['other'])).toBe(true)
  expect(await rowsOf('rm_other')).toBe(11)
  expect(await projector.unready()).toEqual(['chaos'])
  await eventually(() => reported.length > 2)
  broken = false
  await eventually(async () => (await projector.unready()).length === 0)
  expect(await versions()).toEqual([{ version: 2 }])
  expect(await rowsOf('rm_chaos')).toBe(11)
})

test('a process starts although a raised version lost its connection', async () => {
  await live()
  let lost = false
  const cut: ReadModel = {
    ...raised(),
    apply: async (on, tables, events, memory) => {
      if (!lost) {
        lost = true
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(on)
      }
      await counting().apply(on, tables, events, memory)
    },
  }
  const projector = await start([cut])
  await eventually(async () => (await projector.unready()).length === 0)
  expect(await versions()).toEqual([{ version: 2 }])
  expect(await rowsOf('rm_chaos')).toBe(10)
})

test('a process that is stopped during a retried build ends it', async () => {
  await live(50)
  let scans = 0
  let pages = 0
  const whole = store
  async function* scan(after: bigint): AsyncGenerator<Page> {
    scans += 1
    if (scans === 1) throw new Error('no answer')
    for await (const { events } of whole.scan(after))
      for (const event of events) {
        await delay(20)
        pages += 1
        yield { events: [event], upTo: event.position }
      }
  }
  store = { ...store, scan }
  const projector = await start([raised()])
  await eventually(() => pages > 2)
  await projector.stop()
  expect(pages).toBeLessThan(40)
  expect(await versions()).toEqual([{ version: 1 }])
})

test('a process without a projector is not ready while another version is live', async () => {
  await live()
  const { url } = database
  const watcher = await watchProjections({ db, url, store, models: [raised()] })
  stops.push(watcher.stop)
  expect(await watcher.unready()).toEqual(['chaos'])
  await start([raised()])
  expect(await watcher.unready()).toEqual([])
})

test('a rebuild does not go live when another process was faster', async () => {
  await live()
  const first = await rebuildInTheMiddleOf(async () => rebuild(db, store, raised(), { mode: 'raise' }))
  expect(first).toMatchObject({ replaced: false, live: { version: 2 } })
  const { live: now } = await rebuild(db, store, counting(), { mode: 'raise' })
  expect(now).toMatchObject({ version: 2, generation: first.live?.generation })
  expect(await rebuild(db, store, counting())).toMatchObject({ replaced: false, live: { version: 2 } })
})

/** Rebuilds the raised version; `concurrently` runs once while it reads the log. */
async function rebuildInTheMiddleOf(concurrently: () => Promise<unknown>) {
  let done: Promise<unknown> | undefined
  async function* scan(after: bigint): AsyncGenerator<Page> {
    await (done ??= concurrently())
    yield* store.scan(after)
  }
  return rebuild(db, { ...store, scan }, raised(), { mode: 'raise' })
}

test('keeps a build that takes longer than a minute', async () => {
  await live()
  const model = raised()
  const slow: ReadModel = {
    ...model,
    index: async () => {
      // Simulates an index build that takes minutes.
      await sql`update es.subscriptions set updated_at = now() - interval '2 minutes' where status = 'building'`.execute(db)
      await eventually(async () => {
        const { rows } =
          await sql`select from es.subscriptions where status = 'building' and updated_at > now() - interval '1 minute'`.execute(
            db,
          )
        return rows.length === 1
      })
      await dropRetired(db, model.name)
    },
  }
  expect(await rebuild(db, store, slow)).toMatchObject({ replaced: true })
  expect(await rowsOf('rm_chaos')).toBe(10)
})

test('a rebuild that takes longer than a lease is made by one process', async () => {
  await live(60)
  const builds: string[] = []
  const slow = (process: string): ReadModel => ({
    ...raised(() => delay(50)),
    create: async (on, tables) => {
      builds.push(process)
      await counting().create(on, tables)
    },
  })
  await Promise.all([start([slow('one')]), start([slow('two')])])
  expect(builds).toHaveLength(1)
  expect(await versions()).toEqual([{ version: 2 }])
})
