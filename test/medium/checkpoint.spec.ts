import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely } from '#platform/database/pool'
import { startProjector } from '#projections/projector/projector'
import { foldLog } from '../chaos/check-history.ts'
import { counting } from '../chaos/counting.ts'
import { createTestDatabase } from '../support/database.ts'
import { someEvents } from '../support/events.ts'
import { everyLease } from '../support/leases.ts'

test('applies every event once when two workers both believe that they hold the lease', async () => {
  const database = await createTestDatabase()
  const db = createKysely(database.pool)
  const store = createPostgresEventStore(database)
  const start = () =>
    startProjector({
      db,
      url: database.url,
      store,
      models: [counting()],
      leases: everyLease,
      onError: () => {},
      retryMs: [20],
    })
  const pair = await Promise.all([start(), start()])
  let last = 0n
  for (let version = 0; version < 40; version += 1) {
    const result = await store.append({ stream: 'a', expected: version, events: someEvents(1) })
    if (result.kind === 'appended') last = result.position
  }
  for (const one of pair) expect(await one.reached(last, 5000)).toBe(true)
  await Promise.all(pair.map((one) => one.stop()))
  const { rows } = await sql`select stream, events, digest from rm_chaos`.execute(db)
  const written = await store.readStream('a')
  expect(rows).toEqual(
    foldLog(written.map(({ stream, version, id, position }) => ({ stream, version, id, position: Number(position) }))),
  )
  expect(rows).toMatchObject([{ events: 40 }])
  await store.close()
  await database.drop()
})
