import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely } from '#platform/database/pool'
import { createLeases } from '#projections/projector/leases'
import { startProjector } from '#projections/projector/projector'
import { rebuild } from '#projections/projector/rebuild'
import { counting } from '../chaos/counting.ts'
import { createTestDatabase } from '../support/database.ts'
import { someEvents } from '../support/events.ts'

test('a worker continues with the generation that replaced its own', async () => {
  const database = await createTestDatabase()
  const db = createKysely(database.pool)
  const store = createPostgresEventStore(database)
  const append = async (version: number): Promise<bigint> => {
    const result = await store.append({ stream: 'a', expected: version, events: someEvents(1) })
    if (result.kind !== 'appended') throw new Error('an append was refused')
    return result.position
  }
  const leases = createLeases(db, database.url)
  const projector = await startProjector({
    db,
    url: database.url,
    store,
    models: [counting()],
    leases,
    onError: () => {},
    retryMs: [20],
  })
  expect(await projector.reached(await append(0), 5000)).toBe(true)
  expect((await rebuild(db, store, counting())).replaced).toBe(true)
  // `reached` must report the generation that readers see.
  const reached = await projector.reached(await append(1), 5000)
  const { rows } = await sql<{ events: number }>`select events from rm_chaos`.execute(db)
  expect({ reached, rows }).toEqual({ reached: true, rows: [{ events: 2 }] })
  await projector.stop()
  await leases.close()
  await store.close()
  await database.drop()
})
