import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FactBatch, FactStore } from '#factstore/fact-store'
import { createPostgresFactStore } from '#factstore/postgres/postgres-fact-store'
import type { RollUpRules } from '#factstore/postgres/roll-up'
import { createKysely, createPool } from '#platform/database/pool'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { ALL, expectSame, factIn, factStoreContract, fresh, rollUp, world } from './fact-store.contract.ts'

const KILLS = 40

/** Rules under which the few rows of a test have rollups, and some groupings have too many keys. */
const SMALL: RollUpRules = { fewestRows: 3, mostKeys: 2, rowsPerKey: 1, overForMinutes: 0 }

factStoreContract('PostgreSQL', async () => {
  const database = await createTestDatabase()
  const open = () => createPostgresFactStore(createKysely(database.pool), SMALL)
  return { store: open(), another: open, stop: () => database.drop() }
})

describe('rollups of facts in PostgreSQL', () => {
  let database: TestDatabase
  let store: FactStore
  /** The same store as another process opens it. */
  let another: FactStore
  let others: ReturnType<typeof createPool>
  beforeAll(async () => {
    database = await createTestDatabase()
    store = createPostgresFactStore(createKysely(database.pool), SMALL)
    others = createPool(database.url, { max: 2, applicationName: 'placard-test' })
    another = createPostgresFactStore(createKysely(others), SMALL)
  })
  afterAll(async () => {
    await others.end()
    await database.drop()
  })
  const count = async (table: string) =>
    Number((await database.pool.query<{ n: string }>(`select count(*) as n from facts.${table}`)).rows[0]?.n)

  it('rollups of facts in PostgreSQL are made of days that are over, where they pay, and leave too many keys to the rows', async () => {
    const own = world()
    const facts = fc.sample(factIn(own), { numRuns: 60, seed: 21 })
    const today = { ...facts[0]!, hour: `${new Date().toISOString().slice(0, 13)}:00:00.000Z` }
    const few = { ...facts[0]!, hour: '2026-09-01T05:00:00.000Z' }
    const all = [...facts, today, today, today, today, few]
    await store.store({ id: fresh('batch'), facts: all })
    expect(await rollUp(store)).toBe(6)
    const { rows } = await database.pool.query<{ day: string; wide: number }>(`select day::text, wide from facts.day_totals`)
    expect(rows.length).toBeGreaterThan(5)
    expect(rows.map(({ day }) => day)).not.toContain(few.hour.slice(0, 10))
    expect(rows.map(({ day }) => day)).not.toContain(today.hour.slice(0, 10))
    expect(rows.some(({ wide }) => wide > 0)).toBe(true)
    const { rows: left } = await database.pool.query<{ day: string }>('select day::text from facts.unsummed_days')
    expect(left).toEqual([{ day: today.hour.slice(0, 10) }])
    for (const grouping of ['size', 'city', 'device_type_key', 'day', 'hour', 'campaign_id'] as const)
      await expectSame(store, all, ALL(own), grouping)
  })

  it('rollups of facts in PostgreSQL are left out of a period that begins or ends within their day', async () => {
    const own = world()
    const facts = fc.sample(factIn(own), { numRuns: 60, seed: 23 })
    await store.store({ id: fresh('batch'), facts })
    expect(await rollUp(store)).toBeGreaterThan(0)
    const noon = '2026-11-01T12:00:00.000Z'
    await expectSame(store, facts, { ...ALL(own), from: noon }, 'size')
    await expectSame(store, facts, { ...ALL(own), to: noon }, 'size')
  })

  it('rollups of facts in PostgreSQL of a campaign and day end with rows that come late, and are made again', async () => {
    const own = world()
    const [early = [], late = []] = [31, 32].map((seed) => fc.sample(factIn(own), { numRuns: 60, seed }))
    await store.store({ id: fresh('batch'), facts: early })
    await rollUp(store)
    const before = await count('day_totals')
    await store.store({ id: fresh('batch'), facts: late.slice(0, 1) })
    expect(await count('day_totals')).toBe(before - 1)
    await expectSame(store, [...early, ...late.slice(0, 1)], ALL(own), 'exchange')
    expect(await rollUp(store)).toBe(1)
    expect(await count('day_totals')).toBe(before)
    await expectSame(store, [...early, ...late.slice(0, 1)], ALL(own), 'exchange')
  })

  it('rollups of facts in PostgreSQL wait for batches of the day that are being stored', async () => {
    const own = world()
    const db = createKysely(database.pool)
    const { batches } = createPostgresFactStore(db, SMALL)
    const [early = [], late = []] = [41, 42].map((seed) => fc.sample(factIn(own), { numRuns: 60, seed }))
    await store.store({ id: fresh('batch'), facts: early })
    await batches.prepare(late)
    let summing: Promise<number> = Promise.resolve(0)
    let isSummed = false
    await db.transaction().execute(async (tx) => {
      await batches.insert(tx, { id: fresh('batch'), facts: late })
      summing = rollUp(another).finally(() => (isSummed = true))
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(isSummed).toBe(false)
    })
    expect(await summing).toBeGreaterThan(0)
    await rollUp(store)
    await expectSame(store, [...early, ...late], ALL(own), 'exchange')
  })

  it('rollups of facts lose and double nothing while batches come, two processes sum days, and connections die', async () => {
    const own = world()
    const pools = Array.from({ length: 3 }, () => createPool(database.url, { max: 4, applicationName: 'facts-mortal' }))
    const stores = pools.map((pool) => createPostgresFactStore(createKysely(pool), SMALL))
    const batches: FactBatch[] = []
    const reached = { failed: 0, summed: 0, killed: 0 }
    const isReached = () => Object.values(reached).every((times) => times > 3)
    /** At least 60, and as many more as it takes to meet what the test is about. */
    const next = () => {
      if (batches.length >= 60 && isReached()) return null
      const batch = { id: fresh('batch'), facts: fc.sample(factIn(own), { numRuns: 25, seed: 100 + batches.length }) }
      batches.push(batch)
      return batch
    }
    let isOver = false
    const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
      for (;;) {
        try {
          return await work()
        } catch {
          reached.failed += 1
        }
      }
    }
    const killing = (async () => {
      while (!isOver && reached.killed < KILLS) {
        const { rowCount } = await database.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'facts-mortal' and state <> 'idle' order by random() limit 1`,
        )
        reached.killed += rowCount ?? 0
        await new Promise((resolve) => setTimeout(resolve, 30))
      }
    })()
    const summing = stores.slice(1).map(async (each) => {
      while (!isOver) reached.summed += (await patiently(async () => each.rollUp?.())) === true ? 1 : 0
    })
    await Promise.all(
      stores.map(async (each) => {
        for (let batch = next(); batch !== null; batch = next()) {
          const stored = batch
          await patiently(() => each.store(stored))
        }
      }),
    )
    isOver = true
    await Promise.all([killing, ...summing])
    const facts = batches.flatMap((batch) => batch.facts)
    for (const grouping of ['size', 'publisher', 'day'] as const) await expectSame(store, facts, ALL(own), grouping)
    await rollUp(store)
    for (const grouping of ['size', 'publisher', 'day'] as const) await expectSame(store, facts, ALL(own), grouping)
    await Promise.all(pools.map((pool) => pool.end()))
  })
})
