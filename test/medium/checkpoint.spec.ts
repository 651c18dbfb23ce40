import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createPostgresEventStore } from '../../eventstore/postgres/postgres-event-store.ts'
import { createKysely } from '../../platform/database/pool.ts'
import { applyPage, Overtaken, park } from '../../projections/projector/checkpoint.ts'
import { ensureLive } from '../../projections/projector/generations.ts'
import { placesOf } from '../../projections/projector/read-model.ts'
import type { Leases } from '../../projections/projector/leases.ts'
import { startProjector } from '../../projections/projector/projector.ts'
import { foldLog } from '../chaos/check-history.ts'
import { counting, countingTogether } from '../chaos/counting.ts'
import { createTestDatabase } from '../support/database.ts'
import { someEvents } from '../support/events.ts'

/** What a process believes that has slept through the end of its leases. */
const everything: Leases = {
  share: async (_, names) => new Set(names),
  holds: async () => true,
  close: async () => {},
}

test.each([
  ['two workers that both believe the same shard to be theirs apply every event once', counting],
  ['two workers that write rows and checkpoint in one statement apply every event once', countingTogether],
] as const)('%s', async (_, model) => {
  const database = await createTestDatabase()
  const db = createKysely<never>(database.pool)
  const store = createPostgresEventStore(database)
  const start = () =>
    startProjector({ db, url: database.url, store, models: [model()], leases: everything, onError: () => {}, retryMs: [20] })
  const pair = await Promise.all([start(), start()])
  let last = 0n
  for (let version = 0; version < 40; version += 1) {
    const result = await store.append({ stream: 'a', expected: version, events: someEvents(1) })
    if (result.kind === 'appended') last = result.position
  }
  for (const one of pair) expect(await one.reached(last, 5000)).toBe(true)
  await Promise.all(pair.map((one) => one.stop()))
  const { rows } = await sql`select stream, events, digest from ${sql.table(`rm_${model().tables[0]}`)}`.execute(db)
  const written = await store.readStream('a')
  expect(rows).toEqual(
    foldLog(written.map(({ stream, version, id, position }) => ({ stream, version, id, position: Number(position) }))),
  )
  expect(rows).toMatchObject([{ events: 40 }])
  await store.close()
  await database.drop()
})

test('rows do not go with a checkpoint where a stream has been set aside meanwhile', async () => {
  const database = await createTestDatabase()
  const db = createKysely<never>(database.pool)
  const store = createPostgresEventStore(database)
  const model = countingTogether()
  const [before] = placesOf(await ensureLive(db, model))
  if (before === undefined) throw new Error('there is no place')
  await store.append({ stream: 'a', expected: 0, events: someEvents(1) })
  const [event] = await store.readStream('a')
  if (event === undefined) throw new Error('there is no event')
  await park(db, before, event, 1, new Error('no'))
  const page = { events: [event], upTo: event.position }
  await expect(applyPage(db, model, before, page)).rejects.toThrow(Overtaken)
  const [now] = placesOf(await ensureLive(db, model))
  if (now === undefined) throw new Error('there is no place')
  expect(now).toEqual({ ...before, parked: true })
  await applyPage(db, model, now, page)
  const { rows } = await sql`select events from rm_chaos_together`.execute(db)
  expect(rows).toEqual([])
  await store.close()
  await database.drop()
})
