import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createPostgresEventStore } from '../../eventstore/postgres/postgres-event-store.ts'
import { createKysely } from '../../platform/database/pool.ts'
import type { Leases } from '../../projections/projector/leases.ts'
import { startProjector } from '../../projections/projector/projector.ts'
import { counting } from '../chaos/counting.ts'
import { createTestDatabase } from '../support/database.ts'
import { someEvents } from '../support/events.ts'

/** What a process believes that has slept through the end of its leases. */
const everything: Leases = {
  share: async (_, names) => new Set(names),
  holds: async () => true,
  close: async () => {},
}

test('two workers that both believe the same shard to be theirs apply every event once', async () => {
  const database = await createTestDatabase()
  const db = createKysely<never>(database.pool)
  const store = createPostgresEventStore(database)
  const start = () =>
    startProjector({ db, url: database.url, store, models: [counting()], leases: everything, onError: () => {}, retryMs: [20] })
  const pair = await Promise.all([start(), start()])
  let last = 0n
  for (let version = 0; version < 40; version += 1) {
    const result = await store.append({ stream: 'a', expected: version, events: someEvents(1) })
    if (result.kind === 'appended') last = result.position
  }
  for (const one of pair) expect(await one.reached(last, 5000)).toBe(true)
  await Promise.all(pair.map((one) => one.stop()))
  const { rows } = await sql<{ events: number }>`select events from rm_chaos`.execute(db)
  expect(rows).toEqual([{ events: 40 }])
  await store.close()
  await database.drop()
})
