import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventStore } from '../../eventstore/event-store.ts'
import { createPostgresEventStore } from '../../eventstore/postgres/postgres-event-store.ts'
import { createKysely } from '../../platform/database/pool.ts'
import { park } from '../../projections/projector/checkpoint.ts'
import { ensureLive, liveGeneration } from '../../projections/projector/generations.ts'
import { createLeases } from '../../projections/projector/leases.ts'
import { listParked, retryParked } from '../../projections/projector/parked.ts'
import { startProjector, type Projector } from '../../projections/projector/projector.ts'
import { placesOf, type ReadModel } from '../../projections/projector/read-model.ts'
import { rebuild } from '../../projections/projector/rebuild.ts'
import { counting } from '../chaos/counting.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, someEvent } from '../support/events.ts'

let database: TestDatabase
let db: Kysely<never>
let store: EventStore
let bad: (stream: string) => boolean
const stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  db = createKysely<never>(database.pool)
  store = createPostgresEventStore(database)
  bad = () => true
})

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  await store.close()
  await database.drop()
})

/** Sets aside a stream with an event called `Bad`, as long as that stream is. */
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

/** The same, a page at a time. */
const pickyInRuns = (version = 1): ReadModel => ({
  ...picky(version),
  applyRun: async (on, tables, run, memory) => {
    for await (const events of run) await picky().apply(on, tables, events, memory)
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

/** Some streams of two events, between them one that stumbles over its second. */
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

test.each([
  ['one shard', 1, picky],
  ['three shards', 3, picky],
  ['one shard, in runs', 1, pickyInRuns],
] as const)('a stream that is set aside keeps no raised version from going live (%s)', async (_, shards, model) => {
  const old = await start(model())
  await someStreams()
  await eventually(async () => (await parked()).length === 1)
  await rebuild(db, store, model(), { shards, mode: 'force' })
  await old.stop()

  const told: string[] = []
  const projector = await start(model(2), (_, error) => told.push(String(error)))
  expect(await liveGeneration(db, 'chaos')).toMatchObject({ version: 2, parked: [expect.any(Number)] })
  expect(told).toEqual(['Error: ill was set aside: cannot be applied'])
  expect(await parked()).toEqual(ILL)
  await append('ill', 'Good')
  expect(await projector.reached(await append('s1', 'Good'), 5000)).toBe(true)
  const rows = await counted()
  expect([rows.size, rows.get('ill'), rows.get('s0'), rows.get('s1'), rows.get('s19')]).toEqual([21, 1, 2, 3, 2])

  bad = () => false
  await retryParked(db, store, model(2), 'ill')
  expect((await counted()).get('ill')).toBe(4)
  expect(await parked()).toEqual([])
  expect(await projector.reached(await append('ill', 'Good'), 5000)).toBe(true)
  expect((await counted()).get('ill')).toBe(5)
  expect(await rebuild(db, store, model(2))).toMatchObject({ replaced: true, compared: true, aside: [] })
})

test.each([
  ['one shard', 1, picky],
  ['three shards', 3, picky],
  ['one shard, in runs', 1, pickyInRuns],
] as const)('a read model is compared though streams of it are set aside (%s)', async (_, shards, model) => {
  const projector = await start(model())
  expect(await projector.reached(await someStreams(), 5000)).toBe(true)
  await eventually(async () => (await parked()).length === 1)
  expect(await rebuild(db, store, model(), { mode: 'check' })).toMatchObject({ compared: true, differences: [], aside: ILL })
  expect(await rebuild(db, store, model(), { shards })).toMatchObject({ replaced: true, compared: true, aside: ILL })
  expect(await parked()).toEqual(ILL)
  // By now it could be applied: the rows are alike all the same, and what is wrong with others is seen.
  bad = () => false
  await sql`update rm_chaos set digest = 'wrong' where stream = 's3'`.execute(db)
  expect(await rebuild(db, store, model())).toMatchObject({
    replaced: false,
    compared: true,
    differences: [{ table: 'chaos', missing: 0, extra: 0, changed: 1 }],
  })
  expect(await rebuild(db, store, model(), { mode: 'force' })).toMatchObject({ replaced: true, aside: [] })
  expect(await parked()).toEqual([])
  expect((await counted()).get('ill')).toBe(3)
})

test('a rebuild sets aside what is set aside while it is made', async () => {
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
  expect(await rebuild(db, store, late)).toMatchObject({ replaced: true, compared: true, differences: [] })
  expect((await parked()).map(({ stream }) => stream)).toEqual(['ill', 'late'])
  expect((await counted()).get('late')).toBe(1)
})

test('a raised version that too many streams stumble over takes none of them from readers, unless it is forced to', async () => {
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
  expect((await rebuild(db, store, picky(2), { mode: 'force' })).aside).toHaveLength(101)
}, 60_000)

test('an event that comes while its stream is tried again is not lost', async () => {
  const projector = await start(picky())
  expect(await projector.reached(await someStreams(), 5000)).toBe(true)
  await eventually(async () => (await parked()).length === 1)
  bad = () => false
  const meanwhile: EventStore = {
    ...store,
    readStream: async (stream) => {
      const known = await store.readStream(stream)
      // The projector may go past it only when the stream is one of those it applies again.
      await projector.reached(await append('ill', 'Good'), 500)
      return known
    },
  }
  await retryParked(db, meanwhile, picky(), 'ill')
  expect(await projector.reached(await append('s0', 'Good'), 5000)).toBe(true)
  expect((await counted()).get('ill')).toBe(4)
})

test.each([
  ['one that both lack from the beginning', 'ill'],
  ['one that both lack since', 'late'],
])('a stream that is tried again once a rebuild was compared is not taken from readers (%s)', async (_, stream) => {
  const projector = await start(picky())
  expect(await projector.reached(await someStreams(), 5000)).toBe(true)
  await eventually(async () => (await parked()).length === 1)
  let isCompared = false
  const both: ReadModel = {
    ...picky(),
    index: async () => {
      await append('late', 'Good', 'Bad', 'Good')
      await projector.reached(await append('s0', 'Good'), 5000)
      await eventually(async () => (await parked()).length === 2)
    },
    // What the live rows have beyond the building ones is applied for the comparison.
    apply: async (on, tables, events, memory) => {
      const { rows } = await sql`
        select where current_setting('transaction_isolation') = 'repeatable read'`.execute(on)
      if (rows.length > 0) isCompared = true
      await picky().apply(on, tables, events, memory)
    },
  }
  const busy: EventStore = {
    ...store,
    // Whenever it is decided how far the building rows are to go, the live ones go on.
    async *scan(after) {
      if (isCompared) {
        bad = (of) => of !== stream
        await retryParked(db, store, picky(), stream)
      }
      await projector.reached(await append('s0', 'Good'), 5000)
      yield* store.scan(after)
    },
  }
  expect(await rebuild(db, busy, both)).toMatchObject({ replaced: false, compared: false, differences: [] })
  expect((await counted()).get(stream)).toBe(3)
  expect((await parked()).map((letter) => letter.stream)).toEqual(['ill', 'late'].filter((other) => other !== stream))
  expect(await rebuild(db, store, picky())).toMatchObject({ replaced: true, compared: true })
  expect((await counted()).get(stream)).toBe(3)
})

test('a stream that is tried again while a rebuild goes live is tried again in that', async () => {
  const projector = await start(picky())
  expect(await projector.reached(await someStreams(), 5000)).toBe(true)
  await eventually(async () => (await parked()).length === 1)
  let retrying: Promise<void> | undefined
  const isWaiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like '%select position from es.subscriptions%for update%'`.execute(db)
    return rows.length > 0
  }
  const busy: EventStore = {
    ...store,
    async *scan(after) {
      await projector.reached(await append('s0', 'Good'), 5000)
      yield* store.scan(after)
    },
    // Under the lock: what is missing is read.
    readAll: async (after, limit) => {
      bad = () => false
      retrying ??= retryParked(db, store, picky(), 'ill')
      await eventually(isWaiting)
      return store.readAll(after, limit)
    },
  }
  expect(await rebuild(db, busy, picky(), { mode: 'force' })).toMatchObject({ replaced: true, aside: ILL })
  expect(retrying).toBeDefined()
  await retrying
  expect((await counted()).get('ill')).toBe(3)
  expect(await parked()).toEqual([])
})

test('a stream that is tried again before its checkpoint has passed the event is set aside again', async () => {
  const [place] = placesOf(await ensureLive(db, picky()))
  await append('ill', 'Bad', 'Good')
  const [event] = await store.readStream('ill')
  if (place === undefined || event === undefined) throw new Error('there is no place, or no event')
  await park(db, place, event, 4, new Error('could not be applied'))
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
  expect(await liveGeneration(db, 'chaos')).toMatchObject({ parked: [] })
})
