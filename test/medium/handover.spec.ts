import { expect, test } from 'vitest'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely } from '#platform/database/pool'
import type { Leases } from '#projections/projector/leases'
import { startProjector } from '#projections/projector/projector'
import { counting } from '../chaos/counting.ts'
import { createTestDatabase } from '../support/database.ts'
import { eventually, someEvents } from '../support/events.ts'

test('a process that lost a lease in the middle of a page follows its successor', async () => {
  const database = await createTestDatabase()
  const db = createKysely(database.pool)
  const store = createPostgresEventStore(database)
  let owner = 'first'
  let refused = 0
  const leasesOf = (name: string): Leases => ({
    take: async (names) => {
      if (owner !== name) refused += 1
      return owner === name ? new Set(names) : new Set()
    },
    holds: async () => false,
    release: async () => {},
    close: async () => {},
  })
  let applying = false
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const slow = counting(async () => {
    applying = true
    await released
  })
  const start = (name: string, model: typeof slow) =>
    startProjector({ db, url: database.url, store, models: [model], leases: leasesOf(name), onError: () => {} })

  const first = await start('first', slow)
  await store.append({ stream: 'a', expected: 0, events: someEvents(1) })
  await eventually(() => applying)
  owner = 'second'
  await eventually(() => refused > 0)
  release()
  const second = await start('second', counting())
  const result = await store.append({ stream: 'a', expected: 1, events: someEvents(1) })
  const position = result.kind === 'appended' ? result.position : 0n
  expect(await second.reached(position, 5000)).toBe(true)
  expect(await first.reached(position, 2000)).toBe(true)
  await Promise.all([first.stop(), second.stop()])
  await store.close()
  await database.drop()
})
