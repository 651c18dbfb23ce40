import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createTestDatabase } from '../support/database.ts'
import { eventually, someEvents } from '../support/events.ts'

test('notifies other processes of every single append, and coalesces notifications of many', async () => {
  const database = await createTestDatabase()
  const store = createPostgresEventStore(database)
  const listener = new Client({ connectionString: database.url })
  let notifications = 0
  listener.on('notification', () => (notifications += 1))
  await listener.connect()
  await listener.query(`listen es_events`)
  // The first append may precede the connection for notifications.
  await eventually(async () => {
    await store.append({ stream: `first-${Math.random()}`, expected: 0, events: someEvents(1) })
    return notifications > 0
  })
  for (let n = 0; n < 5; n++) {
    const before = notifications
    await store.append({ stream: 'alone', expected: n, events: someEvents(1) })
    await eventually(async () => notifications > before)
  }
  const before = notifications
  await Promise.all(
    Array.from({ length: 500 }, (_, n) => store.append({ stream: `many-${n}`, expected: 0, events: someEvents(1) })),
  )
  await eventually(async () => notifications > before)
  expect(notifications - before).toBeLessThan(100)
  await listener.end()
  await store.close()
  await database.drop()
})
