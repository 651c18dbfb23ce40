import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { leaseFigures, queueFigures } from '#platform/health/figures'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let db: Kysely<Db>
beforeAll(async () => {
  database = await createTestDatabase()
  db = createKysely(database.pool)
})
afterAll(() => database.drop())

const queue = async (name: string) => (await queueFigures(db)).find((figures) => figures.queue === name)

it('counts what waits, with the age of the oldest, and nothing that is done', async () => {
  const empty = ['charges', 'settlements', 'facts', 'security events', 'conversions'].map((name) => ({
    queue: name,
    waiting: 0,
    oldest: 0,
  }))
  expect(await queueFigures(db)).toEqual(empty)
  const batch = (id: string, facts: string | null, minutes: number) =>
    sql`insert into app.delivery_batches (id, body_hash, rows, spent, overdelivered, facts, received_at)
      values (${id}, 'x', 0, 0, 0, ${facts}, now() - make_interval(mins => ${minutes}))`.execute(db)
  await batch('stored', null, 600)
  await batch('waits', '[]', 60)
  await batch('came later', '[]', 1)
  const facts = await queue('facts')
  expect(facts?.waiting).toBe(2)
  expect(facts?.oldest).toBeGreaterThanOrEqual(3600)
  expect(facts?.oldest).toBeLessThan(7200)
})

it('counts no further than 10,000, so that a scrape stays cheap', async () => {
  await sql`insert into app.delivery_batches (id, body_hash, rows, spent, overdelivered, facts)
    select 'many ' || n, 'x', 0, 0, 0, '[]' from generate_series(1, 10001) n`.execute(db)
  expect((await queue('facts'))?.waiting).toBe(10_000)
})

it('takes a lease that ended, and one that was never taken, for work without a leader', async () => {
  await sql`insert into es.leases (name, owner, until)
    values ('policies', 'a', now() + interval '1 minute'), ('projector a', 'a', now() - interval '1 second')`.execute(db)
  expect(await leaseFigures(db, ['policies', 'projector a', 'projector b'])).toEqual([
    { lease: 'policies', held: true },
    { lease: 'projector a', held: false },
    { lease: 'projector b', held: false },
  ])
})
