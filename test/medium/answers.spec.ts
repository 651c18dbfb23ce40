import { ERASERS } from '#api/areas/index'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOnce } from '#platform/limits/once'
import { erasePerson } from '#platform/identity/erasure'
import { createKysely } from '#platform/database/pool'
import { blockedIn, createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/events.ts'

let database: TestDatabase
/** One for all: old answers are removed once an hour, so no other test has that beside it. */
let once: ReturnType<typeof createOnce>
beforeAll(async () => {
  database = await createTestDatabase()
  once = createOnce(createKysely(database.pool), never)
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.pool.query('delete from app.answers')
})

const never = (error: unknown) => {
  throw error
}
const keyed = (key: string) => ({ user: 'bola', route: 'r', key, bodyHash: 'h' })
const keys = async () =>
  (await database.pool.query<{ key: string }>('select key from app.answers order by key')).rows.map(({ key }) => key)

// covers FP-17
it('removes answers older than a day', async () => {
  const { pool } = database
  for (const [key, age] of [
    ['old', '25 hours'],
    ['new', '23 hours'],
  ])
    await pool.query(
      `insert into app.answers (user_id, route, key, body_hash, answer, created_at) values ('ada', 'r', $1, 'h', '{"data":1}', now() - $2::interval)`,
      [key, age],
    )
  expect(await once({ user: 'ada', route: 'r', key: 'this', bodyHash: 'h' }, async () => 2)).toBe(2)
  await eventually(async () => (await keys()).join() === 'new,this')
})

describe('an answer that may contain a personal name', () => {
  it('an answer with a personal name is not stored when the user was erased during the command, but the next answer is', async () => {
    const db = createKysely(database.pool)
    const answer = await once(keyed('late'), async () => {
      await erasePerson(db, 'ada', ERASERS)
      return 'by Ada'
    })
    expect([answer, await keys()]).toEqual(['by Ada', []])
    await once(keyed('next'), async () => 'by Erased person')
    expect(await keys()).toEqual(['next'])
  })

  /**
   * Makes an erasure wait after it removed answers while `condition` holds in its transaction. Resolves once one waits, with a
   * function that releases it.
   */
  async function held(condition: string, erase: () => Promise<unknown>) {
    const { pool } = database
    await pool.query(`create or replace function hold() returns trigger language plpgsql as
      'begin if ${condition} then perform pg_advisory_xact_lock(4711); end if; return null; end'`)
    await pool.query('create trigger hold after delete on app.answers for each statement execute function hold()')
    const gate = await pool.connect()
    await gate.query('select pg_advisory_lock(4711)')
    const erasing = erase()
    await eventually(async () => (await blockedIn(pool)) === 1)
    return async () => {
      await gate.query('select pg_advisory_unlock(4711)')
      gate.release()
      await erasing
      await pool.query('drop trigger hold on app.answers')
    }
  }

  it('an answer with a personal name is not stored behind an erasure that has removed the others and is about to commit', async () => {
    const db = createKysely(database.pool)
    const { rows } = await database.pool.query<{ count: bigint }>('select count from app.erasures')
    const goOn = await held(`(select count from app.erasures) > ${rows[0]?.count}`, () => erasePerson(db, 'ada', ERASERS))
    let isStored = false
    const answered = once(keyed('between'), async () => 'by Ada').finally(() => (isStored = true))
    await eventually(async () => isStored || (await blockedIn(database.pool)) === 2)
    await Promise.all([goOn(), answered])
    expect(await keys()).toEqual([])
  })

  it('an answer with a personal name is stored during an erasure that is removing many others, and removed with them', async () => {
    const db = createKysely(database.pool)
    const goOn = await held('true', () => erasePerson(db, 'ada', ERASERS))
    let isStored = false
    const answered = once(keyed('during'), async () => 'by Ada').finally(() => (isStored = true))
    await eventually(async () => isStored || (await blockedIn(database.pool)) === 2)
    const wasStored = isStored
    await Promise.all([goOn(), answered])
    expect(wasStored).toBe(true)
    expect(await keys()).toEqual([])
  })
})

it('a command succeeds although the removal of old answers fails', async () => {
  // Uses its own database: old answers are removed after other commands, possibly still during this test.
  const own = await createTestDatabase()
  const { pool } = own
  await pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$`)
  await pool.query('create trigger refuse before delete on app.answers for each statement execute function refuse()')
  const errors: unknown[] = []
  try {
    const once = createOnce(createKysely(pool), (error) => errors.push(error))
    expect(await once(keyed('this'), async () => 'done')).toBe('done')
    await eventually(() => errors.length > 0)
    expect(errors).toEqual([expect.objectContaining({ message: 'not now' })])
  } finally {
    await own.drop()
  }
})
