import { sql, type Kysely, type KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventStore } from '../../eventstore/event-store.ts'
import { createPostgresEventStore } from '../../eventstore/postgres/postgres-event-store.ts'
import { createKysely } from '../../platform/database/pool.ts'
import { ensureLive } from '../../projections/projector/generations.ts'
import { createLeases, type Leases } from '../../projections/projector/leases.ts'
import { createProgress } from '../../projections/projector/progress.ts'
import { placesOf, type ReadModel } from '../../projections/projector/read-model.ts'
import { startProjector, watchProjections } from '../../projections/projector/projector.ts'
import { rebuild } from '../../projections/projector/rebuild.ts'
import { counting } from '../chaos/counting.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, someEvents, someStream } from '../support/events.ts'

let database: TestDatabase
let db: Kysely<never>
let store: EventStore

beforeEach(async () => {
  database = await createTestDatabase()
  db = createKysely<never>(database.pool)
  store = createPostgresEventStore(database)
})

afterEach(async () => {
  await store.close()
  await database.drop()
})

async function append(): Promise<bigint> {
  const result = await store.append({ stream: someStream(), expected: 0, events: someEvents(1) })
  return result.kind === 'appended' ? result.position : 0n
}

/** How far the live shards are, by what the database says. */
async function shards(): Promise<readonly bigint[]> {
  const { rows } = await sql<{ position: bigint }>`
    select position from es.subscriptions where name = 'chaos' and status = 'live' order by shard`.execute(db)
  return rows.map(({ position }) => position)
}

/** Until a connection listens for progress, nothing is remembered. */
async function connected(): Promise<void> {
  await eventually(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where application_name = 'placard-progress' and datname = current_database()
        and state = 'idle' and query like 'set %'`.execute(db)
    return rows.length > 0
  })
  await new Promise((resolve) => setTimeout(resolve, 50))
}

test('a read model that was given more shards has not reached what only its first shard has', async () => {
  // The other shards find nobody.
  const leases: Leases = {
    share: async (_, names) => new Set(names.filter((name) => name.endsWith(' 0'))),
    holds: async () => true,
    close: async () => {},
  }
  const projector = await startProjector({ db, url: database.url, store, models: [counting()], leases, onError: () => {} })
  expect(await projector.reached(await append(), 5000)).toBe(true)
  await rebuild(db, store, counting(), { shards: 4 })
  const position = await append()
  await eventually(async () => (await shards())[0] === position)
  expect(await shards()).toEqual([position, 1n, 1n, 1n])
  // By now the first shard's worker has said so.
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await projector.reached(position, 300)).toBe(false)
  await sql`update es.subscriptions set position = ${position} where name = 'chaos' and status = 'live'`.execute(db)
  expect(await projector.reached(position, 5000)).toBe(true)
  await projector.stop()
})

test('what was read before a worker of this process got on does not set it back', async () => {
  let arrived = 0
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const late: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      arrived += 1
      await released
      return result
    },
  }
  const [place] = placesOf(await ensureLive(db, counting()))
  if (place === undefined) throw new Error('there is no place')
  const progress = createProgress(db.withPlugin(late), database.url, [counting()])
  await connected()
  const waiting = progress.reached(7n, 5000)
  await eventually(() => arrived === 1)
  progress.note({ ...place, position: 7n })
  release()
  expect(await waiting).toBe(true)
  expect(await progress.reached(7n, 100)).toBe(true)
  await progress.close()
})

test('a position that the database has lost in a crash is not reached any more', async () => {
  const leases = createLeases(db, database.url)
  const projector = await startProjector({ db, url: database.url, store, models: [counting()], leases, onError: () => {} })
  const position = await append()
  expect(await projector.reached(position, 5000)).toBe(true)
  const watcher = await watchProjections({ db, url: database.url, store, models: [counting()] })
  expect(await watcher.reached(position, 5000)).toBe(true)
  await projector.stop()
  await leases.close()
  // As after a crash: the newest commits of read models are gone, and so is every connection.
  await sql`update es.subscriptions set position = 0 where name = 'chaos'`.execute(db)
  await sql`
    select pg_terminate_backend(pid, 1000) from pg_stat_activity
    where application_name = 'placard-progress' and datname = current_database()`.execute(db)
  await eventually(async () => !(await watcher.reached(position, 0)), 2000)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await watcher.reached(position, 100)).toBe(false)
  await sql`update es.subscriptions set position = ${position} where name = 'chaos'`.execute(db)
  expect(await watcher.reached(position, 2000)).toBe(true)
  await watcher.stop()
})

test('a worker that failed is asked anew how far it is', async () => {
  const leases: Leases = { share: async (_, names) => new Set(names), holds: async () => true, close: async () => {} }
  let fails = false
  const model: ReadModel = {
    ...counting(),
    concerns: () => {
      if (fails) throw new Error('not now')
      return true
    },
  }
  const projector = await startProjector({
    db,
    url: database.url,
    store,
    models: [model],
    leases,
    onError: () => {},
    retryMs: [10_000],
  })
  const position = await append()
  expect(await projector.reached(position, 5000)).toBe(true)
  // The server has come back without its newest commits, and the first to notice is the worker.
  await sql`update es.subscriptions set position = 0 where name = 'chaos'`.execute(db)
  fails = true
  await append()
  await eventually(async () => !(await projector.reached(position, 0)), 2000)
  await projector.stop()
})

test('a worker that stops after its read model was cut into fewer shards keeps nobody waiting', async () => {
  const [place] = placesOf(await ensureLive(db, counting()))
  if (place === undefined) throw new Error('there is no place')
  const progress = createProgress(db, database.url, [counting()])
  await connected()
  expect(await progress.reached(0n, 1000)).toBe(true)
  for (const shard of [0, 1]) progress.note({ ...place, shards: 2, shard, position: 5n })
  progress.note({ ...place, generation: 2, position: 7n })
  progress.forget('chaos', 1)
  expect(await progress.reached(7n, 200)).toBe(true)
  await progress.close()
})

test('a read model that is cut into fewer shards while events go on coming is reached as before', async () => {
  const leases: Leases = { share: async (_, names) => new Set(names), holds: async () => true, close: async () => {} }
  await ensureLive(db, counting())
  await rebuild(db, store, counting(), { shards: 2 })
  const projector = await startProjector({ db, url: database.url, store, models: [counting()], leases, onError: () => {} })
  expect(await projector.reached(await append(), 5000)).toBe(true)
  let cut = false
  const appending = (async () => {
    // Longer than it takes until the second worker is stopped.
    for (let after = 0; after < 60; after += cut ? 1 : 0) {
      await append()
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
  })()
  expect(await rebuild(db, store, counting(), { shards: 1 })).toMatchObject({ replaced: true })
  cut = true
  await appending
  expect(await projector.reached(await append(), 2000)).toBe(true)
  await projector.stop()
})
