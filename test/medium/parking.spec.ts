import { sql, type Kysely } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventStore, StoredEvent } from '#eventstore/event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import type { Db } from '#migrations/db'
import { createKysely, createPool } from '#platform/database/pool'
import { ensureLive } from '#projections/projector/generations'
import { listParked } from '#projections/projector/parked'
import type { ReadModel } from '#projections/projector/read-model'
import { startRunner, type Runner } from '#projections/projector/runner'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, someEvent } from '../support/events.ts'

let database: TestDatabase
let db: Kysely<Db>
let store: EventStore
let closePool: () => Promise<void>
let runner: Runner | undefined
let failures: unknown[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  const pool = createPool(database.url, { max: 4, applicationName: 'placard-test', limits: { statementMs: 100 } })
  db = createKysely(pool)
  closePool = () => pool.end()
  store = createPostgresEventStore(database)
  failures = []
})

afterEach(async () => {
  await runner?.stop()
  await store.close()
  await closePool()
  await database.drop()
})

type Fail = (db: Kysely<Db>, event: StoredEvent) => Promise<void>

/** Lists streams; `fail` runs before an event is applied. */
const listing = (fail: Fail): ReadModel => ({
  name: 'listing',
  version: 1,
  onFailure: 'park',
  tables: ['listing'],
  concerns: () => true,
  create: async (db, tables) => {
    await sql`create table ${sql.table(tables['listing'] ?? '')} (stream text not null, n integer not null check (n > 0))`.execute(
      db,
    )
  },
  apply: async (db, tables, events) => {
    for (const event of events) {
      await fail(db, event)
      await sql`insert into ${sql.table(tables['listing'] ?? '')} values (${event.stream}, ${event.version})`.execute(db)
    }
  },
})

async function follow(fail: Fail): Promise<void> {
  const model = listing(fail)
  await ensureLive(db, model)
  const onError = (_: string, error: unknown) => void failures.push(error)
  runner = startRunner({ db, store, model, moved: () => {}, onError, retryMs: [5] })
}
const append = (stream: string) => store.append({ stream, expected: 0, events: [someEvent()] })
const listed = async () => (await sql<{ stream: string }>`select stream from rm_listing order by stream`.execute(db)).rows
const parked = async () => (await listParked(db)).map(({ stream, attempts }) => ({ stream, attempts }))
const fails = (often: number) => eventually(() => failures.length >= often)

test('parks no stream while a table is locked for longer than the statement timeout', async () => {
  await follow(async () => {})
  const other = new Client({ connectionString: database.url })
  await other.connect()
  await other.query('begin')
  await other.query('lock table rm_listing__g1 in access exclusive mode')
  await append('a')
  await fails(7)
  expect(await parked()).toEqual([])
  await other.query('commit')
  await other.end()
  await eventually(async () => (await listed()).length === 1)
  expect(await parked()).toEqual([])
})

test('parks no stream when connections break while an event is applied', async () => {
  let breaks = 8
  await follow(async (trx) => {
    if (breaks === 0) return
    breaks -= 1
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
    await database.pool.query('select pg_terminate_backend($1, 1000)', [rows[0]?.pid])
    // Now the driver reports the loss with its own error.
    await new Promise((resolve) => setTimeout(resolve, 20))
  })
  await append('a')
  await eventually(async () => (await listed()).length === 1)
  expect(await parked()).toEqual([])
  expect(failures).toHaveLength(8)
})

test('continues with a stream that fails once, although an earlier one is parked', async () => {
  let once = true
  await follow(async (_, { stream }) => {
    if (stream === 'never') throw new Error('cannot be applied')
    if (stream === 'once' && once) {
      once = false
      throw new Error('not this time')
    }
  })
  for (const stream of ['never', 'once', 'fine']) await append(stream)
  await eventually(async () => (await listed()).length === 2)
  expect(await listed()).toEqual([{ stream: 'fine' }, { stream: 'once' }])
  expect(await parked()).toEqual([{ stream: 'never', attempts: 4 }])
})

test('parks a stream whose values violate the table', async () => {
  await follow(async (trx, { stream }) => {
    if (stream === 'negative') await sql`insert into rm_listing values ('negative', -1)`.execute(trx)
    if (stream === 'wordy') await sql`insert into rm_listing values ('wordy', ${'many'}::integer)`.execute(trx)
  })
  for (const stream of ['negative', 'wordy', 'fine']) await append(stream)
  await eventually(async () => (await listed()).length === 1)
  expect((await parked()).map(({ stream }) => stream)).toEqual(['negative', 'wordy'])
})
