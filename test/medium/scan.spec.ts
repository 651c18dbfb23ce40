import type { Pool } from 'pg'
import { expect, test, vi } from 'vitest'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createTestDatabase } from '../support/database.ts'

test('a failing read-ahead rejects only for the reader of the scan', async () => {
  const database = await createTestDatabase()
  await database.pool.query(`insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
    select 'note-' || n, 1, gen_random_uuid(), 'A', 1, '{}', '{}' from generate_series(1, 2000) n`)
  const breaking = {
    query: async (query: { name: string; values?: readonly unknown[] }) => {
      if (query.name === 'es_read_log' && query.values?.[0] !== '0') throw new TypeError('broken')
      return database.pool.query(query as never)
    },
  } as unknown as Pool
  const store = createPostgresEventStore({ pool: breaking, url: database.url })
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const read = async (): Promise<void> => {
    // The next page fails while this one is processed.
    for await (const { upTo } of store.scan(0n)) {
      expect(upTo).toBe(1000n)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  await expect(read()).rejects.toThrow('broken')
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
  await store.close()
  await database.drop()
})

test('a scan of an empty log ends after at most three statements', async () => {
  const database = await createTestDatabase()
  const statements: string[] = []
  const watched = {
    query: async (query: { name: string }) => {
      statements.push(query.name)
      return database.pool.query(query as never)
    },
  } as unknown as Pool
  const store = createPostgresEventStore({ pool: watched, url: database.url })
  for await (const page of store.scan(0n)) expect.unreachable(`a page up to ${page.upTo}`)
  expect(statements.length).toBeLessThanOrEqual(3)
  await store.close()
  await database.drop()
})
