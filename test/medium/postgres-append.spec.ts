import { randomBytes, randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventStore } from '#eventstore/event-store'
import { APPEND_EACH } from '#eventstore/postgres/append-statements'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { openWakeUpConnection } from '#eventstore/postgres/wake-up-connection'
import { createSignal } from '#eventstore/signal'
import { migrateToLatest } from '#migrations/index'
import { createKysely, createPool } from '#platform/database/pool'
import { withDatabase } from '../support/database-url.ts'
import { blockedIn, createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, someEvent, someEvents, someStream } from '../support/events.ts'
import { startLossyProxy } from '../support/lossy-proxy.ts'

let database: TestDatabase
let store: EventStore

beforeEach(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore(database)
})

afterEach(async () => {
  await store.close()
  await database.drop()
})

async function count(text: string, values: readonly unknown[] = []): Promise<number> {
  const { rows } = await database.pool.query<{ count: bigint }>(text, [...values])
  return Number(rows[0]?.count)
}

const storedEvents = (): Promise<number> => count('select count(*) from es.events')

test.each([
  'update es.events set type = type',
  'delete from es.events where false',
  'truncate es.events',
  `insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
   values ('note-1', 1, gen_random_uuid(), 'Forged', 1, '{}', '{}')
   on conflict (stream_id, version) do update set type = excluded.type`,
])('the log is append-only: %s', async (statement) => {
  await store.append({ stream: 'note-1', expected: 0, events: [someEvent()] })
  await expect(database.pool.query(statement)).rejects.toMatchObject({ code: 'ES002' })
  expect(await storedEvents()).toBe(1)
})

test('the owner of the log may append but not change it, even with triggers disabled', async () => {
  const role = `owner_${randomBytes(6).toString('hex')}`
  const admin = database.pool
  await admin.query(`create role ${role} login password 'owner'`)
  await admin.query(`create database ${role} owner ${role}`)
  const url = new URL(withDatabase(database.url, role))
  url.username = role
  url.password = 'owner'
  const pool = createPool(url.href, { max: 4, applicationName: 'placard-test' })
  try {
    await migrateToLatest(createKysely(pool))
    const owned = createPostgresEventStore({ pool, url: url.href })
    const appended = await owned.append({ stream: 'note-1', expected: 0, events: someEvents(2) })
    expect(appended.kind).toBe('appended')
    expect(await owned.readStream('note-1')).toHaveLength(2)
    await owned.close()
    await pool.query('alter table es.events disable trigger user')
    for (const statement of ['update es.events set type = type', 'delete from es.events', 'truncate es.events'])
      await expect(pool.query(statement)).rejects.toMatchObject({ code: '42501' })
  } finally {
    await pool.end()
    await admin.query(`drop database ${role} with (force)`)
    await admin.query(`drop role ${role}`)
  }
})

test('es.append raises when only part of an append could be stored', async () => {
  const stream = someStream()
  await store.append({ stream, expected: 0, events: someEvents(1) })
  const ids = someEvents(2).map((event) => event.id)
  const call = database.pool.query(
    `select * from es.append(array[$1], array[0], array[2], array[1,1], array[1,2], $2::uuid[], array['A','B'], array[1,1]::smallint[],
       '[{},{}]', '[{},{}]')`,
    [stream, ids],
  )
  await expect(call).rejects.toMatchObject({ code: 'ES001' })
  expect(await storedEvents()).toBe(1)
})

test('torn appends keep their connections', async () => {
  const stream = someStream()
  await store.append({ stream, expected: 0, events: someEvents(3) })
  const sessions = async () => {
    const { rows } = await database.pool.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'placard-append' and datname = current_database() order by pid",
    )
    return rows.map(({ pid }) => pid)
  }
  const before = await sessions()
  for (let i = 0; i < 5; i++) expect((await store.append({ stream, expected: 2, events: someEvents(4) })).kind).toBe('conflict')
  expect(await sessions()).toEqual(expect.arrayContaining(before))
})

test('a lost race is a conflict, whatever the default isolation of the database', async () => {
  const name = new URL(database.url).pathname.slice(1)
  await database.pool.query(`alter database ${name} set default_transaction_isolation = 'repeatable read'`)
  const pool = createPool(database.url, { max: 2, applicationName: 'placard-test' })
  const late = createPostgresEventStore({ pool, url: database.url })
  const stream = someStream()
  const other = await pool.connect()
  await other.query('begin')
  await other.query(
    `insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
     values ($1, 1, gen_random_uuid(), 'A', 1, '{}', '{}')`,
    [stream],
  )
  const lost = [1, 2].map((count) => late.append({ stream, expected: 0, events: someEvents(count) }))
  await eventually(async () => (await blockedIn(database.pool)) > 0)
  await other.query('commit')
  other.release()
  expect(await Promise.all(lost)).toEqual([{ kind: 'conflict' }, { kind: 'conflict' }])
  const { rows } = await pool.query<{ transaction_isolation: string }>('show transaction_isolation')
  expect(rows).toEqual([{ transaction_isolation: 'read committed' }])
  await late.close()
  await pool.end()
})

test('a locked table delays a batch for the timeout of one append, and stores nothing of it', async () => {
  const appendTimeoutMs = 500
  const hasty = createPostgresEventStore({ ...database, appendTimeoutMs })
  await hasty.append({ stream: someStream(), expected: 0, events: someEvents(1) })
  const other = await database.pool.connect()
  await other.query('begin; lock table es.events in share mode')
  const appends = Array.from({ length: 20 }, () => hasty.append({ stream: someStream(), expected: 0, events: someEvents(1) }))
  const results = await Promise.allSettled(appends)
  await other.query('commit')
  other.release()
  const reasons = results.map((result): unknown => (result.status === 'rejected' ? result.reason : null))
  expect(reasons).toEqual(reasons.map(() => expect.objectContaining({ code: '57014' })))
  // One statement for all of them.
  expect(new Set(reasons).size).toBe(1)
  expect(await storedEvents()).toBe(1)
  await hasty.close()
})

test.each([
  ['alone', 'es_append_one', 1, 1],
  ['of several events', 'es_append_many', 1, 3],
  ['in a batch', 'es_append_many', 20, 2],
  ['in a batch of one event each', 'es_append_each', 20, 1],
])('an append whose answer was lost is stored once (%s)', async (_, statement, appends, events) => {
  const proxy = await startLossyProxy(database.url)
  const remote = createPostgresEventStore({ pool: database.pool, url: proxy.url })
  try {
    await remote.append({ stream: someStream(), expected: 0, events: someEvents(1) })
    await Promise.all([1, 2].map(() => remote.append({ stream: someStream(), expected: 0, events: someEvents(2) })))
    const before = await storedEvents()
    proxy.loseAnswerTo(statement)
    const results = await Promise.all(
      Array.from({ length: appends }, () => remote.append({ stream: someStream(), expected: 0, events: someEvents(events) })),
    )
    expect(proxy.lost()).toBe(1)
    expect(results.map((result) => result.kind === 'appended' && result.version)).toEqual(results.map(() => events))
    expect(await storedEvents()).toBe(before + appends * events)
  } finally {
    await remote.close()
    await proxy.close()
  }
})

test('killed connections neither lose nor repeat events', async () => {
  let kills = 0
  const killer = setInterval(() => {
    // Few enough for a busy machine to finish within the retries of an append.
    kills += 1
    if (kills > 20) return
    void database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'placard-append' and datname = current_database()`)
  }, 15)
  const write = async (): Promise<void> => {
    const stream = someStream()
    for (let version = 0; version < 40; version += 2) {
      const result = await store.append({ stream, expected: version, events: someEvents(2) })
      expect(result).toMatchObject({ kind: 'appended', version: version + 2 })
    }
  }
  await Promise.all(Array.from({ length: 15 }, write))
  clearInterval(killer)
  expect(await storedEvents()).toBe(15 * 40)
})

test('batches of two processes never deadlock', async () => {
  const other = createPostgresEventStore(database)
  const streams = Array.from({ length: 60 }, () => someStream())
  for (let version = 0; version < 8; version += 1) {
    const write = (each: EventStore, order: readonly string[]) =>
      Promise.all(order.map((stream) => each.append({ stream, expected: version, events: someEvents(1) })))
    const results = await Promise.all([write(store, streams), write(other, streams.toReversed())])
    expect(results.flat().filter((result) => result.kind === 'appended')).toHaveLength(streams.length)
  }
  await Promise.all([store.close(), other.close()])
  expect(await count('select deadlocks as count from pg_stat_database where datname = current_database()')).toBe(0)
})

test('positions rise from append to append across processes', async () => {
  const other = createPostgresEventStore(database)
  const positions: bigint[] = []
  for (const each of [store, other, store, other, store]) {
    const result = await each.append({ stream: someStream(), expected: 0, events: someEvents(2) })
    if (result.kind === 'appended') positions.push(result.position)
  }
  await other.close()
  expect(positions).toHaveLength(5)
  expect(positions).toEqual(positions.toSorted((a, b) => (a < b ? -1 : 1)))
})

test('an append needs no connection of the shared pool', async () => {
  const pool = createPool(database.url, { max: 1, applicationName: 'placard-test' })
  const remote = createPostgresEventStore({ pool, url: database.url })
  const held = await pool.connect()
  const stream = someStream()
  expect(await remote.append({ stream, expected: 0, events: someEvents(1) })).toMatchObject({ version: 1 })
  expect(await remote.append({ stream, expected: 0, events: someEvents(1) })).toEqual({ kind: 'conflict' })
  held.release()
  await remote.close()
  await pool.end()
})

test.each([
  [
    'of several events',
    `select * from es.append(array['note-1'], array[$1::int], array[1], array[1], array[1], array[gen_random_uuid()], array['A'],
       array[1]::smallint[], '[{}]', '[{}]')`,
    (expected: number) => [expected],
  ],
  ['of one event each', APPEND_EACH, (expected: number) => [['note-1'], [expected], [randomUUID()], ['A'], [1], '[{}]', '[{}]']],
])('checks the expected version by index (%s)', async (_, text, valuesOf) => {
  // Its own connection: plans are kept per session.
  const client = new Client({ connectionString: database.url })
  await client.connect()
  const append = (expected: number) => client.query({ name: 'append', text, values: valuesOf(expected) })
  const scans = async (): Promise<string | undefined> => {
    await client.query('select pg_stat_force_next_flush()')
    const text = `select seq_tup_read as rows from pg_stat_user_tables where schemaname = 'es' and relname = 'events'`
    return (await client.query<{ rows: string }>(text)).rows[0]?.rows
  }
  // Enough calls on a small table for the plan to be kept.
  for (let version = 0; version < 10; version += 1) await append(version)
  await client.query(`insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
    select 'other-' || n, 1, gen_random_uuid(), 'A', 1, '{}', '{}' from generate_series(1, 3000) n`)
  const before = await scans()
  for (let version = 10; version < 15; version += 1) await append(version)
  const after = await scans()
  await client.end()
  expect(after).toBe(before)
})

test('a killed wake-up connection is replaced', async () => {
  const [near, far] = [createSignal(), createSignal()]
  const [one, two] = [openWakeUpConnection(database.url, 'es_events', near), openWakeUpConnection(database.url, 'es_events', far)]
  await eventually(() => near.count() === 1 && far.count() === 1)
  one.announce()
  await eventually(() => far.count() === 2)
  expect(near.count()).toBe(1)
  await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'placard-wake-up' and datname = current_database()`)
  // Each wakes once after the reconnect, for notifications that it may have missed.
  await eventually(() => near.count() >= 2 && far.count() >= 3)
  const seen = far.count()
  one.announce()
  await eventually(() => far.count() > seen)
  await Promise.all([one.close(), two.close()])
})

test('close completes earlier appends and rejects later ones', async () => {
  const appends = Array.from({ length: 50 }, () => store.append({ stream: someStream(), expected: 0, events: someEvents(1) }))
  await store.close()
  expect((await Promise.all(appends)).every((result) => result.kind === 'appended')).toBe(true)
  await expect(store.append({ stream: someStream(), expected: 0, events: someEvents(1) })).rejects.toThrow(/closed/)
})
