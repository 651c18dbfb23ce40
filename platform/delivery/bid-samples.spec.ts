import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SAMPLE_SIZE } from '#domain/bidding/sample'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { createTestDatabase, type TestDatabase } from '#test/support/database'
import { createBidSamples } from './bid-samples.ts'

describe('samples of impressions', () => {
  let database: TestDatabase
  let db: Kysely<Db>
  beforeAll(async () => {
    database = await createTestDatabase()
    db = createKysely(database.pool)
  })
  beforeEach(() => database.pool.query('delete from app.bid_samples'))
  afterAll(() => database.drop())

  const floors = async (whitelabel: string) =>
    (await createBidSamples(db).newest(whitelabel)).map(({ facts }) => facts['bid_floor'])

  // covers FP-103
  it('samples of impressions keep the newest thousand', async () => {
    const all = Array.from({ length: SAMPLE_SIZE + 30 }, (_, n) => ({ bid_floor: n }))
    await createBidSamples(db).add('dsp', all)
    const kept = await floors('dsp')
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([SAMPLE_SIZE, SAMPLE_SIZE + 29, 30])
  })

  // covers FP-103
  it('samples of impressions are kept apart for each white-label, beside those for all, and for a week at most', async () => {
    const samples = createBidSamples(db)
    await samples.add('ng', [{ bid_floor: 1 }])
    await samples.add('dsp', [{ bid_floor: 2 }])
    await samples.add(null, [{ bid_floor: 3 }])
    expect([await floors('dsp'), await floors('ng')]).toEqual([
      [3, 2],
      [3, 1],
    ])
    await sql`update app.bid_samples set received_at = now() - interval '8 days' where whitelabel_id = 'dsp'`.execute(db)
    expect(await floors('dsp')).toEqual([3])
    await samples.purge()
    const left = await db.selectFrom('app.bid_samples').select('whitelabel_id').orderBy('id').execute()
    expect(left).toEqual([{ whitelabel_id: 'ng' }, { whitelabel_id: null }])
  })
})
