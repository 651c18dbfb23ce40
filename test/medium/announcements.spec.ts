import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createPostgresEventStore } from '../../eventstore/postgres/postgres-event-store.ts'
import { createTestDatabase } from '../support/database.ts'
import { eventually, someEvents } from '../support/events.ts'

test('other processes are notified of every single append, and a few times of many at once', async () => {
  const database = await createTestDatabase()
  const store = createPostgresEventStore(database)
  const listener = new Client({ connectionString: database.url })
  let told = 0
  listener.on('notification', () => (told += 1))
  await listener.connect()
  await listener.query(`listen es_events`)
  // The first append may come before the connection for notifications is open.
  await eventually(async () => {
    await store.append({ stream: `first-${Math.random()}`, expected: 0, events: someEvents(1) })
    return told > 0
  })
  for (let n = 0; n < 5; n++) {
    const before = told
    await store.append({ stream: 'alone', expected: n, events: someEvents(1) })
    await eventually(async () => told > before)
  }
  const before = told
  await Promise.all(
    Array.from({ length: 500 }, (_, n) => store.append({ stream: `many-${n}`, expected: 0, events: someEvents(1) })),
  )
  await eventually(async () => told > before)
  expect(told - before).toBeLessThan(100)
  await listener.end()
  await store.close()
  await database.drop()
})
