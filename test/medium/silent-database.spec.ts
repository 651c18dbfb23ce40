import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHealingClient } from '#eventstore/postgres/healing-client'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely, createPool } from '#platform/database/pool'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, someEvents, someStream } from '../support/events.ts'
import { startLossyProxy, type LossyProxy } from '../support/lossy-proxy.ts'

let database: TestDatabase
let proxy: LossyProxy

beforeEach(async () => {
  database = await createTestDatabase()
  proxy = await startLossyProxy(database.url)
})

afterEach(async () => {
  await proxy.close()
  await database.drop()
})

const limits = { statementMs: 200, idleInTransactionMs: 200, connectMs: 2000 }
const poolThroughProxy = (max: number) => createPool(proxy.url, { max, applicationName: 'placard-test', limits })
const within = async (milliseconds: number, work: Promise<unknown>): Promise<string> => {
  const late = new Promise<string>((resolve) => setTimeout(() => resolve('not in time'), milliseconds))
  return Promise.race([late, work.then(() => 'done').catch(() => 'failed')])
}

test.each([
  ['alone', 'es_append_one', 1, 1],
  ['of several events', 'es_append_many', 1, 3],
  ['in a batch', 'es_append_each', 20, 1],
])('an append whose answer is lost on an open connection is stored once (%s)', async (_, statement, n, size) => {
  const store = createPostgresEventStore({ pool: database.pool, url: proxy.url, appendTimeoutMs: 200 })
  const append = (events: number) => store.append({ stream: someStream(), expected: 0, events: someEvents(events) })
  await Promise.all([append(2), append(2)])
  const stored = async () => (await store.readAll(0n, 1000)).events.length
  const before = await stored()
  proxy.loseAnswerTo(statement, 'silently')
  const results = await Promise.all(Array.from({ length: n }, () => append(size)))
  expect(proxy.lost()).toBe(1)
  expect(results.map((result) => result.kind === 'appended' && result.version)).toEqual(results.map(() => size))
  expect(await stored()).toBe(before + n * size)
  await store.close()
})

test('an append to a silent host fails, and later ones succeed once the host is back', async () => {
  const store = createPostgresEventStore({ pool: database.pool, url: proxy.url, appendTimeoutMs: 200 })
  const append = () => store.append({ stream: someStream(), expected: 0, events: someEvents(1) })
  await append()
  proxy.silence()
  expect(await within(22_000, append())).toBe('failed')
  proxy.speak()
  expect(await append()).toMatchObject({ kind: 'appended', replayed: false })
  await store.close()
})

test('a read from a silent host fails, and its connection is replaced', async () => {
  const pool = poolThroughProxy(1)
  const store = createPostgresEventStore({ pool, url: database.url })
  await store.append({ stream: 'note-1', expected: 0, events: someEvents(2) })
  expect(await store.readStream('note-1')).toHaveLength(2)
  proxy.silence()
  const reads = [store.readStream('note-1'), sql`select 1`.execute(createKysely(pool))]
  const ends = reads.map((read) => within(20_000, read))
  expect(await ends[0]).toBe('failed')
  proxy.speak()
  await ends[1]
  expect(await store.readStream('note-1')).toHaveLength(2)
  await store.close()
  await pool.end()
})

test('a connection that becomes silent is replaced', async () => {
  const pool = poolThroughProxy(1)
  const db = createKysely(pool)
  await sql`select 1`.execute(db)
  proxy.loseAnswerTo('lost_for_ever', 'silently')
  expect(await within(10_000, sql`select 1 as lost_for_ever`.execute(db))).toBe('failed')
  expect((await sql`select 2 as two`.execute(db)).rows).toEqual([{ two: 2 }])
  await pool.end()
})

test('a transaction that may idle is not interrupted', async () => {
  const pool = poolThroughProxy(1)
  const rows = await createKysely(pool)
    .transaction()
    .execute(async (trx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
      await delay(3000)
      return (await sql<{ two: number }>`select 2 as two`.execute(trx)).rows
    })
  expect(rows).toEqual([{ two: 2 }])
  await pool.end()
})

test('an idle connection stays in the pool', async () => {
  const pool = poolThroughProxy(1)
  const pid = async () => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  const before = await pid()
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect(await pid()).toBe(before)
  await pool.end()
})

test('a connection is replaced when it becomes silent after a long idle time', async () => {
  const pool = poolThroughProxy(1)
  await pool.query('select 1')
  await delay(2500)
  proxy.loseAnswerTo('lost_for_ever', 'silently')
  expect(await within(10_000, pool.query('select 1 as lost_for_ever'))).toBe('failed')
  expect((await pool.query('select 2 as two')).rows).toEqual([{ two: 2 }])
  await pool.end()
})

test('a listening connection to a silent host is replaced', async () => {
  const received: string[] = []
  const listener = openHealingClient({
    url: proxy.url,
    applicationName: 'placard-test-listener',
    onConnect: async (client) => void (await client.query('listen changes')),
    onNotification: (payload) => received.push(payload),
    probeMs: 200,
  })
  await eventually(() => listener.current() !== null)
  proxy.silence()
  await eventually(() => listener.current() === null)
  proxy.speak()
  await eventually(() => listener.current() !== null)
  await database.pool.query("select pg_notify('changes', 'again')")
  await eventually(() => received.includes('again'))
  await listener.close()
})
