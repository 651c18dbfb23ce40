import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOnce } from '../../api/http/once.ts'
import { createKysely } from '../../platform/database/pool.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

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
  const { rows } = await pool.query<{ key: string }>('select key from app.answers order by key')
  expect(rows.map(({ key }) => key)).toEqual(['new', 'this'])
})
