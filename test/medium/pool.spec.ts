import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { NestedRequest, PoolBusy } from '#platform/database/guarded-pool'
import { createKysely, createPool } from '#platform/database/pool'
import { createTestDatabase } from '../support/database.ts'
import { eventually } from '../support/events.ts'

test('a connection that breaks inside a transaction fails that transaction alone', async () => {
  const database = await createTestDatabase()
  const pool = createPool(database.url, { max: 1, applicationName: 'placard-test' })
  const client = await pool.connect()
  let ended = false
  client.once('end', () => (ended = true))
  await client.query('begin')
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await eventually(() => ended)
  // An error without a listener would end the process.
  expect(client.listenerCount('error')).toBeGreaterThan(0)
  await expect(client.query('commit')).rejects.toThrow()
  client.release()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await pool.end()
  await database.drop()
})

describe('a pool that others use up', () => {
  const poolOf = (url: string, ping: () => Promise<unknown>) =>
    createPool(url, { max: 1, applicationName: 'placard-test', busy: { afterMs: 50, ping, onBusy: () => {} } })

  test('refuses a request inside one of its own transactions, and serves what goes on after its end', async () => {
    const database = await createTestDatabase()
    const pool = createPool(database.url, { max: 2, applicationName: 'placard-test' })
    const db = createKysely(pool)
    const one = () => sql<{ one: number }>`select 1 as one`.execute(db)
    let later: Promise<unknown> = Promise.resolve()
    try {
      await db.transaction().execute(async (tx) => {
        await sql`select 1`.execute(tx)
        await expect(one()).rejects.toThrow(NestedRequest)
        await expect(pool.query('select 1')).rejects.toThrow(NestedRequest)
        later = new Promise((resolve) => setTimeout(resolve, 50)).then(one)
      })
      expect(await later).toMatchObject({ rows: [{ one: 1 }] })
      await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async () => expect(one()).rejects.toThrow(NestedRequest))
    } finally {
      await pool.end()
      await database.drop()
    }
  })

  test('rejects after a while, waits longer while the server does not answer, and gives nothing away twice', async () => {
    const database = await createTestDatabase()
    let isThere = false
    const pool = poolOf(database.url, async () => {
      if (!isThere) throw new Error('no answer')
    })
    try {
      const held = await pool.connect()
      const waiting = pool.query('select 1').then(
        () => 'answered',
        (error: unknown) => error,
      )
      expect(await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 200, 'waits'))])).toBe('waits')
      isThere = true
      expect(await waiting).toBeInstanceOf(PoolBusy)
      held.release()
      expect((await pool.query('select 2 as two')).rows).toEqual([{ two: 2 }])
      expect([pool.totalCount, pool.idleCount]).toEqual([1, 1])
    } finally {
      await pool.end()
      await database.drop()
    }
  })
})

describe('prepared statements', () => {
  const inDatabase = async (run: (db: ReturnType<typeof createKysely>) => Promise<void>) => {
    const database = await createTestDatabase()
    const pool = createPool(database.url, { max: 1, applicationName: 'placard-test' })
    try {
      await run(createKysely(pool, { keepPlans: true }))
    } finally {
      await pool.end()
      await database.drop()
    }
  }

  test('prepared statements are prepared when frequent, and others are not', () =>
    inDatabase(async (db) => {
      for (let n = 0; n < 5; n++) expect((await sql<{ n: number }>`select ${n}::int as n`.execute(db)).rows).toEqual([{ n }])
      await sql`select ${1}::int as once`.execute(db)
      const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
      expect(rows).toEqual([{ statement: 'select $1::int as n' }])
    }))

  test('prepared statements read the new generation after a flip', () =>
    inDatabase(async (db) => {
      const read = async () => (await sql<{ id: number }>`select id from shown where id > ${0}`.execute(db)).rows
      for (const generation of [1, 2]) {
        await sql`create table ${sql.table(`generation_${generation}`)} (id integer)`.execute(db)
        await sql`insert into ${sql.table(`generation_${generation}`)} (id) values (${generation})`.execute(db)
        await sql`create or replace view shown as select id from ${sql.table(`generation_${generation}`)}`.execute(db)
        for (let n = 0; n < 5; n++) expect(await read()).toEqual([{ id: generation }])
      }
    }))

  test('prepared statements of two builders on one pool are separate', async () => {
    const database = await createTestDatabase()
    const pool = createPool(database.url, { max: 1, applicationName: 'placard-test' })
    const [one, other] = [createKysely(pool, { keepPlans: true }), createKysely(pool, { keepPlans: true })]
    for (let n = 0; n < 5; n++) {
      expect((await sql`select ${n}::int as mine`.execute(one)).rows).toEqual([{ mine: n }])
      expect((await sql`select ${n}::int as theirs`.execute(other)).rows).toEqual([{ theirs: n }])
    }
    await pool.end()
    await database.drop()
  })

  test('prepared statements fail again after a failure and keep their connection', () =>
    inDatabase(async (db) => {
      const divide = (by: number) => sql<{ n: number }>`select 6 / ${by}::int as n`.execute(db)
      for (let n = 0; n < 5; n++) await expect(divide(0)).rejects.toThrow('division by zero')
      expect((await divide(3)).rows).toEqual([{ n: 2 }])
    }))
})
