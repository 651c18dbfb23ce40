import { sql, type Kysely } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventStore, Page } from '../../eventstore/event-store.ts'
import { createPostgresEventStore } from '../../eventstore/postgres/postgres-event-store.ts'
import { createKysely } from '../../platform/database/pool.ts'
import { createLeases, type Leases } from '../../projections/projector/leases.ts'
import { startProjector, type Projector } from '../../projections/projector/projector.ts'
import { rebuild } from '../../projections/projector/rebuild.ts'
import { counting } from '../chaos/counting.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { someEvents } from '../support/events.ts'

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
  expect(live.positions).toEqual([last])
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
  expect(live.positions).toEqual([last])
  expect(await eventsShown()).toBe(11)
  await committed
  await client.end()
})
