import type { Pool } from 'pg'
import { expect, test, vi } from 'vitest'
import { createHoleEvidence } from '../../eventstore/postgres/hole-evidence.ts'
import { scanLog } from '../../eventstore/postgres/scan-log.ts'
import { createTestDatabase } from '../support/database.ts'

test('a scan whose connections break fails for whoever reads it, and for nobody else', async () => {
  const database = await createTestDatabase()
  await database.pool.query(`insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
    select 'note-' || n, 1, gen_random_uuid(), 'A', 1, '{}', '{}' from generate_series(1, 2000) n`)
  const breaking = {
    query: async (query: { name: string; values?: readonly unknown[] }) => {
      if (query.name === 'es_read_range' && query.values?.[0] !== '0') throw new Error('connection lost')
      return database.pool.query(query as never)
    },
  } as unknown as Pool
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const read = async (): Promise<void> => {
    // Whoever works on the first page leaves the others, read ahead, alone for a while.
    for await (const { upTo } of scanLog(breaking, createHoleEvidence(), 0n)) {
      expect(upTo).toBe(500n)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  await expect(read()).rejects.toThrow('connection lost')
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
  await database.drop()
})
