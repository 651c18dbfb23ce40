import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventStore } from '#eventstore/event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { park } from '#projections/projector/checkpoint'
import { ensureLive, liveGeneration } from '#projections/projector/generations'
import { createLeases } from '#projections/projector/leases'
import { listParked, retryParked } from '#projections/projector/parked'
import { startProjector, type Projector } from '#projections/projector/projector'
import type { ReadModel } from '#projections/projector/read-model'
import { rebuild } from '#projections/projector/rebuild'
import { verify } from '#projections/projector/verify'
import { counting } from '../chaos/counting.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, someEvent } from '../support/events.ts'

let database: TestDatabase
let db: Kysely<Db>
let store: EventStore
let bad: (stream: string) => boolean
const stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  db = createKysely(database.pool)
  store = createPostgresEventStore(database)
  bad = () => true
})

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  await store.close()
  await database.drop()
})

/** Parks a stream with an event of type `Bad` while `bad` contains it. */
const picky = (version = 1): ReadModel => ({
  ...counting(),
  version,
  onFailure: 'park',
  apply: async (on, tables, events, memory) => {
    for (const event of events) {
      if (event.type === 'Bad' && bad(event.stream)) throw new Error('cannot be applied')
      await counting().apply(on, tables, [event], memory)
    }
  },
})

async function start(model: ReadModel, onError = (_: string, _error: unknown) => {}): Promise<Projector> {
  const { url } = database
  const leases = createLeases(db, url)
  const projector = await startProjector({ db, url, store, models: [model], leases, onError, retryMs: [5] })
  let stopping: Promise<void> | undefined
  const stop = () => (stopping ??= projector.stop().then(() => leases.close()))
  stops.push(stop)
  return { ...projector, stop }
}

async function append(stream: string, ...types: readonly string[]): Promise<bigint> {
  const expected = (await store.readStream(stream)).length
  const result = await store.append({ stream, expected, events: types.map((type) => someEvent({ type })) })
  if (result.kind === 'conflict') throw new Error('a stream of one writer')
  return result.position
}

/** Streams of two events, one of them with a second event that cannot be applied. */
async function someStreams(): Promise<bigint> {
  for (let n = 0; n < 10; n++) await append(`s${n}`, 'Good', 'Good')
  await append('ill', 'Good', 'Bad', 'Good')
  let last = 0n
  for (let n = 10; n < 20; n++) last = await append(`s${n}`, 'Good', 'Good')
  return last
}

const counted = async (): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await sql<{ stream: string; events: number }>`select stream, events from rm_chaos`.execute(db)
  return new Map(rows.map(({ stream, events }) => [stream, events]))
}
const parked = async () => (await listParked(db)).map(({ stream, message }) => ({ stream, message }))
const ILL = [{ stream: 'ill', message: 'cannot be applied' }]

test('a raised version goes live with a stream parked', async () => {
  const old = await start(picky())
  await someStreams()
  await eventually(async () => (await parked()).length === 1)
  await old.stop()

  const errors: string[] = []
  const projector = await start(picky(2), (_, error) => errors.push(String(error)))
  expect(await liveGeneration(db, 'chaos')).toMatchObject({ version: 2, parked: 1 })
  expect(errors).toEqual(['Error: ill was parked: cannot be applied'])
  expect(await parked()).toEqual(ILL)
  await append('ill', 'Good')
  expect(await projector.reached(await append('s1', 'Good'), 5000)).toBe(true)
  const rows = await counted()
  expect([rows.size, rows.get('ill'), rows.get('s0'), rows.get('s1'), rows.get('s19')]).toEqual([21, 1, 2, 3, 2])

  bad = () => false
  await retryParked(db, store, picky(2), 'ill')
  expect((await counted()).get('ill')).toBe(4)
  expect(await parked()).toEqual([])
  expect(await projector.reached(await append('ill', 'Good'), 5000)).toBe(true)
  expect((await counted()).get('ill')).toBe(5)
  expect(await rebuild(db, store, picky(2))).toMatchObject({ replaced: true, parked: [] })
})

test('verify compares all other streams while one is parked', async () => {
  const projector = await start(picky())
  expect(await projector.reached(await someStreams(), 5000)).toBe(true)
  await eventually(async () => (await parked()).length === 1)
  expect(await verify(db, store, picky())).toEqual({ kind: 'compared', differences: [] })
  expect(await parked()).toEqual(ILL)
  // The comparison skips the stream, which could be applied now, and still finds wrong rows of other streams.
  bad = () => false
  await sql`update rm_chaos set digest = 'wrong' where stream = 's3'`.execute(db)
  expect(await verify(db, store, picky())).toEqual({
    kind: 'compared',
    differences: [
      { table: 'chaos', missing: 0, extra: 0, changed: 1, rows: [{ key: ['s3'], kind: 'changed', columns: ['digest'] }] },
    ],
  })
  expect(await rebuild(db, store, picky())).toMatchObject({ replaced: true, parked: [] })
  expect(await parked()).toEqual([])
  expect((await counted()).get('ill')).toBe(3)
})

test('verify compares when a stream is parked while it builds', async () => {
  const projector = await start(picky())
  expect(await projector.reached(await someStreams(), 5000)).toBe(true)
  let happened: Promise<void> | undefined
  const late = async () => {
    await append('late', 'Good', 'Bad', 'Good')
    await append('s0', 'Good')
    await eventually(async () => (await parked()).length === 2)
  }
  const busy: EventStore = {
    ...store,
    async *scan(after) {
      await (happened ??= late())
      yield* store.scan(after)
    },
  }
  expect(await verify(db, busy, picky())).toEqual({ kind: 'compared', differences: [] })
})

test('verify does not compare when a stream is retried while it builds', async () => {
  const projector = await start(picky())
  expect(await projector.reached(await someStreams(), 5000)).toBe(true)
  await eventually(async () => (await parked()).length === 1)
  const busy: EventStore = {
    ...store,
    async *scan(after) {
      bad = () => false
      await retryParked(db, store, picky(), 'ill')
      yield* store.scan(after)
    },
  }
  expect(await verify(db, busy, picky())).toEqual({ kind: 'changed' })
})

test('a rebuild parks streams that are parked while it runs', async () => {
  const projector = await start(picky())
  expect(await projector.reached(await someStreams(), 5000)).toBe(true)
  const late: ReadModel = {
    ...picky(),
    index: async () => {
      await append('late', 'Good', 'Bad', 'Good')
      await append('s0', 'Good')
      await eventually(async () => (await parked()).length === 2)
    },
  }
  expect(await rebuild(db, store, late)).toMatchObject({ replaced: true })
  expect((await parked()).map(({ stream }) => stream)).toEqual(['ill', 'late'])
  expect((await counted()).get('late')).toBe(1)
})

test('a rebuild that would park more than 100 streams fails, unless it is forced', async () => {
  const old = await start(counting())
  for (let n = 0; n < 100; n++) await append(`s${n}`, 'Bad')
  expect(await old.reached(await append('s100', 'Bad'), 5000)).toBe(true)
  await old.stop()
  await expect(rebuild(db, store, picky(2), { mode: 'raise' })).rejects.toThrow('cannot be applied')
  expect((await counted()).size).toBe(101)
  bad = (stream) => stream !== 's50'
  expect(await rebuild(db, store, picky(2), { mode: 'raise' })).toMatchObject({ replaced: true })
  expect((await counted()).size).toBe(1)
  bad = () => true
  expect((await rebuild(db, store, picky(2), { mode: 'force' })).parked).toHaveLength(101)
})

test('applies an event that is appended while its stream is retried', async () => {
  const projector = await start(picky())
  expect(await projector.reached(await someStreams(), 5000)).toBe(true)
  await eventually(async () => (await parked()).length === 1)
  bad = () => false
  const appending: EventStore = {
    ...store,
    readStream: async (stream) => {
      const known = await store.readStream(stream)
      // The projector may pass it only once the stream is no longer parked.
      await projector.reached(await append('ill', 'Good'), 500)
      return known
    },
  }
  await retryParked(db, appending, picky(), 'ill')
  expect(await projector.reached(await append('s0', 'Good'), 5000)).toBe(true)
  expect((await counted()).get('ill')).toBe(4)
})

test('retries a parked stream in the generation that went live after the retry began', async () => {
  const projector = await start(picky())
  expect(await projector.reached(await someStreams(), 5000)).toBe(true)
  await eventually(async () => (await parked()).length === 1)
  let retrying: Promise<void> | undefined
  const isWaiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like '%from "es"."subscriptions"%for update%'`.execute(db)
    return rows.length > 0
  }
  const busy: EventStore = {
    ...store,
    async *scan(after) {
      await projector.reached(await append('s0', 'Good'), 5000)
      yield* store.scan(after)
    },
    // The flip reads the missing events while it holds the lock.
    readAll: async (after, limit) => {
      bad = () => false
      retrying ??= retryParked(db, store, picky(), 'ill')
      await eventually(isWaiting)
      return store.readAll(after, limit)
    },
  }
  expect(await rebuild(db, busy, picky())).toMatchObject({ replaced: true, parked: ILL })
  expect(retrying).toBeDefined()
  await retrying
  expect((await counted()).get('ill')).toBe(3)
  expect(await parked()).toEqual([])
})

test('parks a stream again when it was retried before the checkpoint passed its event', async () => {
  const live = await ensureLive(db, picky())
  await append('ill', 'Bad', 'Good')
  const [event] = await store.readStream('ill')
  if (event === undefined) throw new Error('there is no event')
  await park(db, live, event, 4, new Error('could not be applied'))
  await retryParked(db, store, picky(), 'ill')
  expect(await parked()).toEqual([])
  const projector = await start(picky())
  expect(await projector.reached(await append('s0', 'Good'), 5000)).toBe(true)
  expect(await counted()).toEqual(new Map([['s0', 1]]))
  expect(await parked()).toEqual(ILL)
  bad = () => false
  await retryParked(db, store, picky(), 'ill')
  expect(await projector.reached(await append('ill', 'Good'), 5000)).toBe(true)
  expect((await counted()).get('ill')).toBe(3)
  expect(await liveGeneration(db, 'chaos')).toMatchObject({ parked: 0 })
})
