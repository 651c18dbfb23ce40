import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventStore } from '#eventstore/event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { createLeases } from '#projections/projector/leases'
import { startProjector, watchProjections, type Projector } from '#projections/projector/projector'
import type { ReadModel } from '#projections/projector/read-model'
import { counting } from '../chaos/counting.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, someEvents, someStream } from '../support/events.ts'

const NAMES = ['one', 'two', 'three', 'four'] as const

let database: TestDatabase
let db: Kysely<Db>
let store: EventStore
const stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  db = createKysely(database.pool)
  store = createPostgresEventStore(database)
})

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  await store.close()
  await database.drop()
})

/** The four read models of one build; `raised` ones have the next version, and their rebuilds wait for `ready`. */
const build = (raised: readonly string[], ready: Promise<unknown> = Promise.resolve()): readonly ReadModel[] =>
  NAMES.map((name) => ({
    ...counting(),
    name,
    version: raised.includes(name) ? 2 : 1,
    tables: [name],
    create: (on, tables) => counting().create(on, { chaos: tables[name] ?? '' }),
    index: async () => {
      if (raised.includes(name)) await ready
    },
    apply: (on, tables, events, memory) => counting().apply(on, { chaos: tables[name] ?? '' }, events, memory),
  }))

/** A process of that build. It keeps read models current before the promise resolves, which waits for all rebuilds. */
function start(models: readonly ReadModel[]): Promise<Projector> {
  const { url } = database
  const leases = createLeases(db, url)
  const starting = startProjector({ db, url, store, models, leases, onError: () => {}, retryMs: [20] })
  stops.push(async () => {
    await (await starting).stop()
    await leases.close()
  })
  return starting
}

async function watch(models: readonly ReadModel[]): Promise<Projector> {
  const watcher = await watchProjections({ db, url: database.url, store, models })
  stops.push(watcher.stop)
  return watcher
}

async function append(): Promise<bigint> {
  const result = await store.append({ stream: someStream(), expected: 0, events: someEvents(1) })
  if (result.kind === 'conflict') throw new Error('a stream of one writer')
  return result.position
}

/** Read models with a free lease. */
async function unheld(): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from es.leases where until > now()`.execute(db)
  return NAMES.filter((name) => rows.every((lease) => lease.name !== `projector ${name}`))
}

/** Longer than any process takes to take or release its leases. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 1500))

test.each([
  ['all', NAMES],
  ['one', ['three'] as const],
  ['three', ['one', 'two', 'four'] as const],
])('every read model stays current while a newer process rebuilds %s of them', async (_, raised) => {
  let release: () => void = () => {}
  const ready = new Promise<void>((resolve) => (release = resolve))
  const old = await start(build([]))
  expect(await old.reached(await append(), 5000)).toBe(true)
  const starting = start(build(raised, ready))
  stops.push(async () => release())
  await eventually(async () => {
    const { rows } = await sql`select from es.subscriptions where status = 'building'`.execute(db)
    return rows.length > 0
  })
  await settled()
  expect(await unheld()).toEqual([])
  expect(await old.reached(await append(), 5000)).toBe(true)
  release()
  await starting
})

test.each([
  ['all', NAMES],
  ['one', ['three'] as const],
  ['three', ['one', 'two', 'four'] as const],
])('every read model stays current while an older process runs after %s of them were raised', async (_, raised) => {
  await start(build([]))
  const next = await start(build(raised))
  expect(await next.unready()).toEqual([])
  await settled()
  expect(await unheld()).toEqual([])
  expect(await next.reached(await append(), 5000)).toBe(true)
  const other = await start(build(raised))
  await settled()
  const watcher = await watch(build(raised))
  const last = await append()
  for (const one of [next, other, watcher]) expect(await one.reached(last, 5000)).toBe(true)
})
