import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKysely } from '#platform/database/pool'
import { createLeases, type Leases } from '#projections/projector/leases'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Milliseconds until this process gets the lease of another one. */
async function untilHeld(leases: Leases, name: string): Promise<number> {
  const begin = performance.now()
  while (!(await leases.holds(name))) {
    if (performance.now() - begin > 10_000) throw new Error(`${name} is never free`)
    await delay(20)
  }
  return performance.now() - begin
}

test('a lease expires two seconds after its last renewal', async () => {
  const db = createKysely(database.pool)
  const [silent, other] = [createLeases(db, database.url), createLeases(db, database.url)]
  await untilHeld(silent, 'work')
  expect(await other.holds('work')).toBe(false)
  const waited = await untilHeld(other, 'work')
  expect(waited).toBeGreaterThan(1500)
  expect(waited).toBeLessThan(2500)
  await Promise.all([silent.close(), other.close()])
})

test('a lease is free as soon as the session of its holder ends', async () => {
  const db = createKysely(database.pool)
  const [killed, other] = [createLeases(db, database.url), createLeases(db, database.url)]
  await untilHeld(killed, 'errand')
  expect(await other.holds('errand')).toBe(false)
  await sql`
    select pg_terminate_backend(split_part(owner, ':', 1)::int) from es.leases where name = 'errand'`.execute(db)
  expect(await untilHeld(other, 'errand')).toBeLessThan(1000)
  await Promise.all([killed.close(), other.close()])
})
