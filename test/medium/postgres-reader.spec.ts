import type { Pool, PoolClient, QueryConfig } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventStore, StoredEvent } from '#eventstore/event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createPool } from '#platform/database/pool'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, readToHead, someEvent, someEvents, someStream } from '../support/events.ts'

let database: TestDatabase
let store: EventStore
let open: PoolClient[] = []

/** Pages that the store has asked for. */
let reads = 0

beforeEach(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ url: database.url, pool: countingReads(database.pool) })
})

const countingReads = (pool: Pool): Pool =>
  new Proxy(pool, {
    get: (target, name) => {
      if (name !== 'query') return Reflect.get(target, name)
      return (query: QueryConfig, ...rest: []) => {
        if (query.name === 'es_read_log') reads += 1
        return target.query(query, ...rest)
      }
    },
  })

/** Waits until the store has asked for so many more pages. */
const polled = (pages: number, before = reads): Promise<void> => eventually(() => reads >= before + pages)

afterEach(async () => {
  for (const client of open) client.release(true)
  open = []
  await store.close()
  await database.drop()
})

/** An open transaction of another process that has taken the next position. */
async function openWriter(stream = someStream(), version = 1): Promise<PoolClient> {
  const client = await database.pool.connect()
  open.push(client)
  await client.query('begin')
  const { id } = someEvent()
  const values = [stream, version, id]
  await client.query(
    `insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata) values ($1, $2, $3, 'Held', 1, '{}', '{}')`,
    values,
  )
  return client
}

async function appendOne(stream = someStream()): Promise<string> {
  await store.append({ stream, expected: 0, events: [someEvent()] })
  return stream
}

function follow(after: bigint) {
  const events: StoredEvent[] = []
  let atLast = 0
  const subscription = store.subscribe({
    after,
    onPage: async (page) => {
      events.push(...page.events)
      atLast = reads
    },
    onError: (error) => expect.unreachable(String(error)),
  })
  return { events, subscription, streams: () => events.map((event) => event.stream), readsAtLast: () => atLast }
}

/** One under way, one that proves that the writer has ended, and one that applies the proof. */
const READS_OF_A_HOLE = 3

test('waits for the event of an open transaction', async () => {
  const held = someStream()
  const writer = await openWriter(held)
  const later = await appendOne()
  const { streams } = follow(0n)
  await polled(10)
  expect(streams()).toEqual([])
  expect(await store.readAll(0n, 10)).toEqual({ events: [], upTo: 0n })
  await writer.query('commit')
  await eventually(() => streams().length === 2)
  expect(streams()).toEqual([held, later])
})

test('a scan ends before the event of an open transaction, and includes earlier events', async () => {
  const first = await appendOne()
  const held = someStream()
  const writer = await openWriter(held)
  const later = await appendOne()
  const scanned = async () => {
    const events: StoredEvent[] = []
    for await (const page of store.scan(0n)) events.push(...page.events)
    return events.map(({ stream }) => stream)
  }
  expect(await scanned()).toEqual([first])
  const whileItCommits = scanned()
  await writer.query('commit')
  expect([[first], [first, held, later]]).toContainEqual(await whileItCommits)
  expect(await scanned()).toEqual([first, held, later])
})

test('returns events before a hole at once', async () => {
  const first = await appendOne()
  await openWriter()
  await appendOne()
  const { streams } = follow(0n)
  await eventually(() => streams().length === 1)
  await polled(10)
  expect(streams()).toEqual([first])
})

test('skips the position of a transaction that was rolled back', async () => {
  const writer = await openWriter()
  const later = await appendOne()
  const { streams, readsAtLast } = follow(0n)
  await polled(3)
  await writer.query('rollback')
  const before = reads
  await eventually(() => streams().length === 1)
  expect(readsAtLast() - before).toBeLessThanOrEqual(READS_OF_A_HOLE)
  expect(streams()).toEqual([later])
})

test('skips old holes without delay after a restart', async () => {
  for (let hole = 0; hole < 5; hole += 1) {
    const writer = await openWriter()
    await appendOne()
    await writer.query('rollback')
  }
  const restarted = createPostgresEventStore(database)
  const page = await restarted.readAll(0n, 10)
  expect(page.events).toHaveLength(5)
  await restarted.close()
})

test('readAll does not mistake a short transaction for the end of the log', async () => {
  const lost = await openWriter()
  const later = await appendOne()
  await lost.query('rollback')
  const passing = await openWriter()
  const page = store.readAll(0n, 10)
  await polled(2, 0)
  await passing.query('rollback')
  expect((await page).events.map((event) => event.stream)).toEqual([later])
})

test('handles two holes of which one is filled', async () => {
  const [one, two] = [someStream(), someStream()]
  const first = await openWriter(one)
  const second = await openWriter(two)
  const later = await appendOne()
  const { streams } = follow(0n)
  await polled(3)
  await second.query('commit')
  await polled(10)
  expect(streams()).toEqual([])
  await first.query('rollback')
  await eventually(() => streams().length === 2)
  expect(streams()).toEqual([two, later])
})

test('a killed writer does not block readers', async () => {
  const writer = await openWriter()
  const { rows } = await writer.query<{ pid: number }>('select pg_backend_pid() as pid')
  writer.on('error', () => {})
  const later = await appendOne()
  const { streams } = follow(0n)
  await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await eventually(() => streams().length === 1)
  expect(streams()).toEqual([later])
})

test('an unrelated long transaction that writes does not block the reader', async () => {
  const report = await database.pool.connect()
  open.push(report)
  await report.query('begin')
  await report.query(
    `insert into es.subscriptions (name, generation, version, status, tables) values ('report', 1, 1, 'live', '{}')`,
  )
  const { events, readsAtLast } = follow(0n)
  for (let round = 1; round <= 5; round += 1) {
    const writer = await openWriter()
    await appendOne()
    await writer.query('rollback')
    const before = reads
    await eventually(() => events.length === round)
    expect(readsAtLast() - before).toBeLessThanOrEqual(READS_OF_A_HOLE)
  }
})

// covers FP-18
test('delivers an event without a notification', async () => {
  const { streams } = follow(0n)
  const first = await appendOne()
  await eventually(() => streams().length === 1)
  // The reader finds nothing more, and waits for a notification.
  await polled(1)
  const quiet = someStream()
  const writer = await openWriter(quiet)
  await writer.query('commit')
  await eventually(() => streams().length === 2)
  expect(streams()).toEqual([first, quiet])
})

test('skips the holes of appends that lost a race', async () => {
  const stream = someStream()
  const other = createPostgresEventStore(database)
  const { events } = follow(0n)
  for (let version = 0; version < 20; version += 1) {
    await Promise.all([store, other].map((each) => each.append({ stream, expected: version, events: someEvents(1) })))
  }
  await eventually(() => events.length === 20)
  expect(events.map((event) => event.version)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  await other.close()
})

test('loses, repeats and reorders nothing while slow writers commit and roll back', async () => {
  const { events } = follow(0n)
  const random = (() => {
    let seed = 7
    return () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  })()
  const slowWriter = async (): Promise<void> => {
    for (let round = 0; round < 25; round += 1) {
      const writer = await openWriter()
      await writer.query('select pg_sleep($1)', [random() / 125])
      await writer.query(random() < 0.3 ? 'rollback' : 'commit')
      writer.release()
      open.splice(open.indexOf(writer), 1)
    }
  }
  const quickWriter = async (): Promise<void> => {
    for (let round = 0; round < 100; round += 1) await store.append({ stream: someStream(), expected: 0, events: someEvents(2) })
  }
  await Promise.all([slowWriter(), slowWriter(), slowWriter(), slowWriter(), quickWriter(), quickWriter()])
  const stored = await readToHead(store)
  const { rows } = await database.pool.query<{ count: bigint }>('select count(*) from es.events')
  expect(BigInt(stored.length)).toBe(rows[0]?.count)
  await eventually(() => events.length >= stored.length)
  expect(events).toEqual(stored)
})

test('an invalid stream name fails its own read only', async () => {
  const streams = [await appendOne(), await appendOne(), await appendOne()]
  const reads = await Promise.allSettled(['not\0storable', ...streams, 'nothing'].map((stream) => store.readStream(stream)))
  expect(reads.map((read) => (read.status === 'fulfilled' ? read.value.map(({ stream }) => stream) : 'failed'))).toEqual([
    'failed',
    ...streams.map((stream) => [stream]),
    [],
  ])
})

test('returns a stream in order, in any order of its rows on disk', async () => {
  const stream = someStream()
  await store.append({ stream, expected: 0, events: someEvents(40) })
  await database.pool.query('create index shuffled on es.events (event_id)')
  await database.pool.query('cluster es.events using shuffled')
  await database.pool.query(`alter database ${new URL(database.url).pathname.slice(1)} set enable_indexscan = off`)
  const pool = createPool(database.url, { max: 2, applicationName: 'placard-test' })
  const afterwards = createPostgresEventStore({ pool, url: database.url })
  try {
    const lying = await database.pool.query<{ version: number }>('select version from es.events order by ctid')
    const versions = lying.rows.map(({ version }) => version)
    expect(versions).not.toEqual(versions.toSorted((a, b) => a - b))
    expect((await afterwards.readStream(stream)).map(({ version }) => version)).toEqual(
      Array.from({ length: 40 }, (_, i) => i + 1),
    )
  } finally {
    await afterwards.close()
    await pool.end()
  }
})
