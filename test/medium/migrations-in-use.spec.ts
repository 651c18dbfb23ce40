import { sql, type Migration } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrated, MIGRATIONS } from '#migrations/index'
import { createKysely } from '#platform/database/pool'
import { untilBlocked } from '../support/database.ts'
import { startTestProduct, type Session, type TestProduct } from '../support/product.ts'

/** Tables that every signed-in call reads, in the other order too: two migrations of one upgrade. */
const PLANTED: Readonly<Record<string, Migration>> = {
  '9998_planted': {
    up: async (db) => {
      await sql`alter table identity.people add column planted_one int`.execute(db)
      await sql`select pg_sleep(0.2)`.execute(db)
      await sql`alter table identity.session_families add column planted_one int`.execute(db)
    },
  },
  '9999_planted': {
    up: async (db) => {
      await sql`alter table identity.session_families add column planted_two int`.execute(db)
      await sql`select pg_sleep(0.2)`.execute(db)
      await sql`alter table identity.people add column planted_two int`.execute(db)
    },
  },
}

describe('an upgrade while the product is used', () => {
  let product: TestProduct
  let ada: Session
  let campaign = ''
  beforeAll(async () => {
    product = await startTestProduct()
    ada = await product.as('ada@nile.example')
    const body = { name: 'Upgrade', country: 'EG', budget: 50, bidding_strategy: { type: 'awareness' } }
    campaign = (await ada.call<{ id: string }>('POST', '/v1/campaign', body)).data.id
  })
  afterAll(() => product.stop())

  it('fails neither by a deadlock, nor a call', async () => {
    const answers: number[] = []
    let isOver = false
    // Saves and reads follow each other in four lanes, for as long as the upgrade takes and a while before.
    const lanes = Array.from({ length: 4 }, async (_, lane) => {
      for (let n = 0; !isOver; n++) {
        const save = () => ada.call('PUT', '/v1/campaign', { id: campaign, budget: 100 + n })
        const read = () => ada.call('POST', '/v1/campaign/list/v2', { pageSize: 25 })
        answers.push((await (lane % 2 === 0 ? save() : read())).status)
      }
    })
    for (let enough = false; !enough; enough = answers.length > 40) await Promise.race([lanes[0], new Promise(setImmediate)])
    const before = answers.length
    const ran = await migrated(createKysely(product.database.pool), { ...MIGRATIONS, ...PLANTED })
    const during = answers.length - before
    isOver = true
    await Promise.all(lanes)
    expect(ran).toEqual(Object.keys(PLANTED))
    expect(during).toBeGreaterThan(0)
    expect(answers.filter((status) => status >= 500 && status !== 503)).toEqual([])
    expect(answers.filter((status) => status === 200).length).toBeGreaterThan(answers.length / 2)
  })

  it('waits for a table that a transaction holds before it holds what that wants next', async () => {
    const held = await product.database.pool.connect()
    const waiting: Migration = {
      up: async (db) => {
        await sql`alter table identity.people add column planted_three int`.execute(db)
        await sql`alter table identity.session_families add column planted_three int`.execute(db)
      },
    }
    try {
      await held.query('begin')
      await held.query('select 1 from identity.session_families limit 1')
      const upgrade = migrated(createKysely(product.database.pool), { ...MIGRATIONS, ...PLANTED, '9999_waiting': waiting })
      await untilBlocked(product.database.pool, upgrade)
      await held.query('select 1 from identity.people limit 1')
      await held.query('commit')
      expect(await upgrade).toEqual(['9999_waiting'])
    } finally {
      held.release()
    }
  })
})
