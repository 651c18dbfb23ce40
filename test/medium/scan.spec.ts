import type { Pool } from 'pg'
import { expect, test, vi } from 'vitest'
import { createHoleEvidence } from '../../eventstore/postgres/hole-evidence.ts'
import { createPostgresEventStore } from '../../eventstore/postgres/postgres-event-store.ts'
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
      expect(upTo).toBeLessThanOrEqual(500n)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  await expect(read()).rejects.toThrow('connection lost')
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
  await database.drop()
})

const insert = (rows: string): string =>
  `insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata) ${rows}`

test('a scan asks for fewer positions where events are large, and for many where they are small or missing', async () => {
  const database = await createTestDatabase()
  const { pool } = database
  const large = `json_build_array(repeat('x', 20000))`
  await pool.query(insert(`select 'large-' || n, 1, gen_random_uuid(), 'A', 1, ${large}, '{}' from generate_series(1, 2400) n`))
  await pool.query(insert(`select 'small-' || n, 1, gen_random_uuid(), 'A', 1, '{}', '{}' from generate_series(1, 3000) n`))
  // Positions that were taken and never filled.
  await pool.query(`select setval(pg_get_serial_sequence('es.events', 'position'), 20000)`)
  await pool.query(insert(`select 'late-' || n, 1, gen_random_uuid(), 'A', 1, '{}', '{}' from generate_series(1, 10) n`))
  const ranges: number[] = []
  const watched = {
    query: async (query: { name: string; values?: readonly string[] }) => {
      if (query.name === 'es_read_range') ranges.push(Number(query.values?.[1]) - Number(query.values?.[0]))
      return pool.query(query as never)
    },
  } as unknown as Pool
  const positions: bigint[] = []
  let upTo = 0n
  for await (const page of scanLog(watched, createHoleEvidence(), 0n)) {
    expect(page.upTo).toBeGreaterThan(upTo)
    upTo = page.upTo
    positions.push(...page.events.map(({ position }) => position))
  }
  const { rows } = await pool.query<{ position: string }>('select position::text from es.events order by es.events.position')
  expect(positions).toEqual(rows.map(({ position }) => BigInt(position)))
  expect(Math.max(...ranges)).toBe(2000)
  expect(Math.min(...ranges.slice(0, -1))).toBe(100)
  await database.drop()
})

test('names that hold what a page is cut at come back whole', async () => {
  const database = await createTestDatabase()
  const name = 'odd-\x1e,\x1f"\n\\'
  await database.pool.query(insert(`select $1, n, gen_random_uuid(), $1, 1, '{}', '[1]' from generate_series(1, 3) n`), [name])
  const found: string[] = []
  for await (const { events } of scanLog(database.pool, createHoleEvidence(), 0n))
    found.push(...events.flatMap(({ stream, type, data, metadata }) => [stream, type, data, metadata]))
  expect(found).toEqual([1, 2, 3].flatMap(() => [name, name, '{}', '[1]']))
  await database.drop()
})

test('a scan of an empty log ends at once', async () => {
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
