import { sql, type Kysely } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventStore } from '../../eventstore/event-store.ts'
import { createPostgresEventStore } from '../../eventstore/postgres/postgres-event-store.ts'
import { createKysely } from '../../platform/database/pool.ts'
import { rebuildBeside } from '../../projections/projector/generations.ts'
import { startProjector, type Projector } from '../../projections/projector/projector.ts'
import { counting } from '../chaos/counting.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { someEvents } from '../support/events.ts'

let database: TestDatabase
let db: Kysely<never>
let store: EventStore
let projector: Projector

beforeEach(async () => {
  database = await createTestDatabase()
  db = createKysely<never>(database.pool)
  store = createPostgresEventStore(database)
  projector = await startProjector({ db, store, models: [counting()], onError: () => {} })
  expect(await projector.reached(await append(0, 10), 5000)).toBe(true)
})

afterEach(async () => {
  await projector.stop()
  await store.close()
  await database.drop()
})

async function append(expected: number, count: number): Promise<bigint> {
  const result = await store.append({ stream: 'a', expected, events: someEvents(count) })
  if (result.kind === 'conflict') throw new Error('a stream of one writer')
  return result.position
}

/** The store as a rebuild sees it when something happens just after it has found the end of the log. */
function storeWith(happening: () => Promise<void>): EventStore {
  let happened = false
  const readAll: EventStore['readAll'] = async (after, limit) => {
    const page = await store.readAll(after, limit)
    if (page.upTo === after && !happened) {
      happened = true
      await happening()
    }
    return page
  }
  return { ...store, readAll }
}

const eventsShown = async (): Promise<number | undefined> =>
  (await sql<{ events: number }>`select events from rm_chaos`.execute(db)).rows[0]?.events

test('a rebuild does not go live behind what readers have seen', async () => {
  let last = 0n
  const store = storeWith(async () => {
    last = await append(10, 1)
    await projector.reached(last, 5000)
  })
  expect((await rebuildBeside(db, store, counting())).position).toBe(last)
  expect(await eventsShown()).toBe(11)
})

test('a rebuild does not go live behind a page that is being committed', async () => {
  await projector.stop()
  let last = 0n
  const client = new Client({ connectionString: database.url })
  await client.connect()
  let committed: Promise<unknown> = Promise.resolve()
  const store = storeWith(async () => {
    last = await append(10, 1)
    await client.query('begin')
    await client.query(`update es.subscriptions set position = $1 where name = 'chaos' and status = 'live'`, [last])
    committed = new Promise((resolve) => setTimeout(resolve, 200)).then(() => client.query('commit'))
  })
  expect((await rebuildBeside(db, store, counting())).position).toBe(last)
  expect(await eventsShown()).toBe(11)
  await committed
  await client.end()
})
