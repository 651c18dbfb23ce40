import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createPostgresEventStore } from '../../eventstore/postgres/postgres-event-store.ts'
import { createKysely } from '../../platform/database/pool.ts'
import { createLeases } from '../../projections/projector/leases.ts'
import { startProjector } from '../../projections/projector/projector.ts'
import { rebuild } from '../../projections/projector/rebuild.ts'
import { counting, countingTogether } from '../chaos/counting.ts'
import { createTestDatabase } from '../support/database.ts'
import { someEvents } from '../support/events.ts'

test.each([
  ['a worker goes over to the generation that replaced its own', counting],
  [
    'a worker that writes rows and checkpoint in one statement goes over to the generation that replaced its own',
    countingTogether,
  ],
] as const)('%s', async (_, model) => {
  const database = await createTestDatabase()
  const db = createKysely<never>(database.pool)
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
    models: [model()],
    leases,
    onError: () => {},
    retryMs: [20],
  })
  expect(await projector.reached(await append(0), 5000)).toBe(true)
  expect((await rebuild(db, store, model(), { mode: 'force' })).replaced).toBe(true)
  // Told is told of what readers see, and they see the generation that is live now.
  const told = await projector.reached(await append(1), 5000)
  const { rows } = await sql<{ events: number }>`select events from ${sql.table(`rm_${model().tables[0]}`)}`.execute(db)
  expect({ told, rows }).toEqual({ told: true, rows: [{ events: 2 }] })
  await projector.stop()
  await leases.close()
  await store.close()
  await database.drop()
})
