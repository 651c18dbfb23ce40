import type { Kysely } from 'kysely'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { nameKey } from '#domain/kit/text'
import { up } from '#migrations/0700_name_keys'
import { createKysely } from '#platform/database/pool'
import { createTestDatabase } from '../support/database.ts'
import { insertRows } from '../support/rows.ts'

async function upgraded(...names: readonly (readonly [campaign: string, key: string])[]) {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { pool } = database
  await pool.query('drop index if exists rm_accounts_whitelabel_id_name_key_idx; drop function app.name_key cascade')
  await insertRows(
    pool,
    'app.campaign_names',
    names.map(([campaign_id, name_key]) => ({ space_id: 'nile', campaign_id, name_key })),
  )
  await up(createKysely(pool) as unknown as Kysely<unknown>)
  return pool
}

// covers FP-19
test('an upgrade frees no name, and lets two that became the same keep theirs', async () => {
  const pool = await upgraded(['a', 'summer\u200b'], ['b', 'winter'], ['c', 'winter\u00a0'], ['d', 'a  b'], ['e', 'caf\u00e9'])
  const { rows } = await pool.query<{ campaign_id: string; name_key: string }>(
    'select campaign_id, name_key from app.campaign_names order by 1',
  )
  expect(rows.map((row) => [row.campaign_id, row.name_key])).toEqual([
    ['a', 'summer'],
    ['b', 'winter'],
    ['c', 'winter\u00a0'],
    ['d', 'a b'],
    ['e', 'caf\u00e9'],
  ])
})

test('the database makes the same key of a name as the product, for any text of letters without case', async () => {
  const pool = await upgraded(['a', 'summer'])
  const sign = fc.constantFrom(...'aé\u0301 \u00a0\u2003\t\u00ad\u200b\u200d\u2060\u3164\ufe0f\u{e0020}東ё1.')
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: sign, maxLength: 12 }), async (name) => {
      const { rows } = await pool.query<{ key: string }>('select app.name_key($1) as key', [name])
      expect(rows[0]?.key).toBe(nameKey(name))
    }),
  )
})
