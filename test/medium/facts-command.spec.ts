import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FactStore } from '#factstore/fact-store'
import { createPostgresFactStore } from '#factstore/postgres/postgres-fact-store'
import { createKysely } from '#platform/database/pool'
import { ALL, expectSame, factIn, rollUp, world } from '../contract/fact-store.contract.ts'
import { runTool } from '../support/command-line.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

describe('npm run facts', () => {
  const place = `cold_${randomUUID().slice(0, 8)}`
  const own = world()
  const hours = ['2026-07-03T05:00:00.000Z', '2026-08-31T23:00:00.000Z', '2026-09-01T00:00:00.000Z']
  const facts = fc.sample(factIn(own), { numRuns: 60, seed: 5 }).map((fact, n) => ({ ...fact, hour: hours[n % 3]! }))
  let database: TestDatabase
  let store: FactStore
  beforeAll(async () => {
    database = await createTestDatabase()
    const client = await database.pool.connect()
    // Without its own folder, which PostgreSQL's user would have to own.
    await client.query('set allow_in_place_tablespaces = true')
    await client.query(`create tablespace ${place} location ''`)
    client.release(true)
    store = createPostgresFactStore(createKysely(database.pool))
    await store.store({ id: randomUUID(), facts })
    await rollUp(store)
  })
  afterAll(async () => {
    await run('move', '--before', '2027-01', '--to', 'pg_default')
    await database.pool.query(`drop tablespace ${place}`)
    await database.drop()
  })

  const run = (...args: readonly string[]) => runTool('api/cli/facts.ts', args, database.url)
  /** Tables and indexes of months that are in the table space. */
  const moved = async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select relname as name from pg_class where reltablespace = (select oid from pg_tablespace where spcname = $1) order by 1`,
      [place],
    )
    return rows.map(({ name }) => name)
  }

  it('lists months with their size and place', async () => {
    const { code, out } = await run('months')
    expect(code).toBe(0)
    expect(out).toMatch(/^2026-07\trows_2026_07\t1 MiB\tpg_default$/m)
    expect(out).toMatch(/^2026-09\tday_totals_2026_09\t\d MiB\tpg_default$/m)
  })

  it('moves old months with their indexes; reports and late rows are as before', async () => {
    expect(await run('move', '--before', '2026-09', '--to', place)).toMatchObject({ code: 0, err: '' })
    const names = await moved()
    expect(names).toContain('rows_2026_07')
    expect(names).toContain('day_totals_2026_08')
    expect(names.filter((name) => /_idx$|_pkey$/.test(name)).length).toBeGreaterThanOrEqual(4)
    expect(names.filter((name) => name.includes('2026_09'))).toEqual([])
    const { rows } = await database.pool.query<{ left: number }>(`
      select count(*)::int as left from pg_index x join pg_class c on c.oid = x.indexrelid
      where x.indrelid = 'facts.rows_2026_07'::regclass and c.reltablespace = 0`)
    expect(rows).toEqual([{ left: 0 }])
    await expectSame(store, facts, ALL(own), 'exchange')
    const late = [{ ...facts[0]!, hour: hours[0]! }]
    await store.store({ id: randomUUID(), facts: late })
    await expectSame(store, [...facts, ...late], ALL(own), 'day')
    expect((await run('months')).out).toMatch(new RegExp(`^2026-07\trows_2026_07\t1 MiB\t${place}$`, 'm'))
    // Again: all is there already.
    expect(await run('move', '--before', '2026-09', '--to', place)).toMatchObject({ code: 0 })
    expect(await moved()).toEqual(names)
  })

  it.each([
    [['move', '--before', '2026-09', '--to', 'nowhere'], 1, 'tablespace "nowhere" does not exist'],
    [['move', '--before', '2026-13', '--to', 'nowhere'], 2, 'Usage'],
    [['move', '--to', 'nowhere'], 2, 'Usage'],
    [['months', '--before', '2026-09'], 2, 'Usage'],
    [[], 2, 'Usage'],
  ])('refuses %j', async (args, code, text) => {
    const refused = await run(...args)
    expect(refused.code).toBe(code)
    expect(refused.err).toContain(text)
  })
})
