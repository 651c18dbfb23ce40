import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOnce } from '../../api/http/once.ts'
import { erasePerson } from '../../api/personal/erasure.ts'
import { createKysely } from '../../platform/database/pool.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/events.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.pool.query('delete from app.answers')
})

const keyed = (key: string) => ({ user: 'bola', route: 'r', key, bodyHash: 'h' })
const keys = async () =>
  (await database.pool.query<{ key: string }>('select key from app.answers order by key')).rows.map(({ key }) => key)

it('answers of yesterday are removed, those of today stay', async () => {
  const { pool } = database
  for (const [key, age] of [
    ['old', '25 hours'],
    ['new', '23 hours'],
  ])
    await pool.query(
      `insert into app.answers (user_id, route, key, body_hash, answer, created_at) values ('ada', 'r', $1, 'h', '{"data":1}', now() - $2::interval)`,
      [key, age],
    )
  const once = createOnce(createKysely<never>(pool))
  expect(await once({ user: 'ada', route: 'r', key: 'this', bodyHash: 'h' }, async () => 2)).toBe(2)
  expect(await keys()).toEqual(['new', 'this'])
})

describe('an answer that may name somebody', () => {
  it('is not stored when that person was erased while it was made, the next one is', async () => {
    const db = createKysely<never>(database.pool)
    const once = createOnce(db)
    const answer = await once(keyed('late'), async () => {
      await erasePerson(db, 'ada')
      return 'by Ada'
    })
    expect([answer, await keys()]).toEqual(['by Ada', []])
    await once(keyed('next'), async () => 'by Erased person')
    expect(await keys()).toEqual(['next'])
  })

  it('is not stored behind an erasure that has removed the others and is about to end', async () => {
    const { pool } = database
    const db = createKysely<never>(pool)
    // The erasure waits here, once it has removed what was stored.
    await pool.query(`create function hold() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(4711); return null; end'`)
    await pool.query('create trigger hold after delete on app.answers for each statement execute function hold()')
    const gate = await pool.connect()
    await gate.query('select pg_advisory_lock(4711)')
    const waiting = async () =>
      (await pool.query<{ mode: string }>(`select mode from pg_locks where not granted order by mode`)).rows.length
    const erasing = erasePerson(db, 'ada')
    await eventually(async () => (await waiting()) === 1)
    let isStored = false
    const answered = createOnce(db)(keyed('between'), async () => 'by Ada').finally(() => (isStored = true))
    await eventually(async () => isStored || (await waiting()) === 2)
    await gate.query('select pg_advisory_unlock(4711)')
    gate.release()
    await Promise.all([erasing, answered])
    await pool.query('drop trigger hold on app.answers')
    expect(await keys()).toEqual([])
  })
})
