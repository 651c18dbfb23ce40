import { sql, type Kysely, type KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventStore } from '#eventstore/event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { ensureLive } from '#projections/projector/generations'
import { createLeases } from '#projections/projector/leases'
import { createProgress } from '#projections/projector/progress'
import type { ReadModel } from '#projections/projector/read-model'
import { startProjector, watchProjections } from '#projections/projector/projector'
import { counting } from '../chaos/counting.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, someEvents, someStream } from '../support/events.ts'
import { everyLease } from '../support/leases.ts'

let database: TestDatabase
let db: Kysely<Db>
let store: EventStore

beforeEach(async () => {
  database = await createTestDatabase()
  db = createKysely(database.pool)
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

/** Waits until a connection listens for progress. */
async function connected(): Promise<void> {
  await eventually(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where application_name = 'placard-progress' and datname = current_database()
        and state = 'idle' and query like 'set %'`.execute(db)
    return rows.length > 0
  })
}

test('an older read does not set back a position that a worker of this process reported', async () => {
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
  const live = await ensureLive(db, counting())
  const progress = createProgress(db.withPlugin(late), database.url, [counting()])
  // Positions are remembered once the connection that listens for progress is there.
  await eventually(() => {
    progress.note({ ...live, position: 1n })
    return progress.reached(1n, 0)
  })
  progress.forget(live.name)
  const waiting = progress.reached(7n, 5000)
  await eventually(() => arrived === 1)
  progress.note({ ...live, position: 7n })
  release()
  expect(await waiting).toBe(true)
  expect(await progress.reached(7n, 100)).toBe(true)
  await progress.close()
})

test('a position that the database lost in a crash is no longer reached', async () => {
  const leases = createLeases(db, database.url)
  const projector = await startProjector({ db, url: database.url, store, models: [counting()], leases, onError: () => {} })
  const position = await append()
  expect(await projector.reached(position, 5000)).toBe(true)
  await projector.stop()
  await leases.close()
  const watcher = await watchProjections({ db, url: database.url, store, models: [counting()] })
  await connected()
  expect(await watcher.reached(position, 5000)).toBe(true)
  // As after a crash: the newest commits of read models and all connections are lost.
  await sql`update es.subscriptions set position = 0 where name = 'chaos'`.execute(db)
  await sql`
    select pg_terminate_backend(pid, 1000) from pg_stat_activity
    where application_name = 'placard-progress' and datname = current_database()`.execute(db)
  await eventually(async () => !(await watcher.reached(position, 0)))
  await connected()
  expect(await watcher.reached(position, 100)).toBe(false)
  await sql`update es.subscriptions set position = ${position} where name = 'chaos'`.execute(db)
  expect(await watcher.reached(position, 2000)).toBe(true)
  await watcher.stop()
})

test('reads the position of a failed worker again', async () => {
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
    leases: everyLease,
    onError: () => {},
    retryMs: [10_000],
  })
  const position = await append()
  expect(await projector.reached(position, 5000)).toBe(true)
  // The server restarted without its newest commits, and the worker notices first.
  await sql`update es.subscriptions set position = 0 where name = 'chaos'`.execute(db)
  fails = true
  await append()
  await eventually(async () => !(await projector.reached(position, 0)))
  await projector.stop()
})
