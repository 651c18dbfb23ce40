import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInvoiceCharges } from '#platform/invoice/charges'
import { createSettlements } from '#platform/delivery/settlements'
import { createKysely } from '#platform/database/pool'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const AT_ONCE = 8
const ROUNDS = 10
const times = <T>(count: number, one: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => one(n))

describe('processes that do the same for an account at once', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())
  const db = () => createKysely(database.pool)

  it('concurrent processes give documents of a white-label numbers without a gap, and none twice', async () => {
    const charges = createInvoiceCharges(db())
    for (let round = 0; round < ROUNDS; round++) {
      const numbers = await Promise.all(
        times(AT_ONCE, (n) => charges.takeNumber({ documentId: `d-${round}-${n}`, whitelabelId: 'dsp', year: 2026 })),
      )
      expect(numbers.toSorted((a, b) => a - b)).toEqual(times(AT_ONCE, (n) => round * AT_ONCE + n + 1))
    }
  })

  it('concurrent processes claim a period for one invoice', async () => {
    const charges = createInvoiceCharges(db())
    for (let round = 0; round < ROUNDS; round++) {
      const claims = times(AT_ONCE, (n) => ({
        invoiceId: `i-${round}-${n}`,
        spaceId: `space-${round}`,
        // They overlap, and none is equal to another.
        from: `2026-01-${String(n + 1).padStart(2, '0')}T00:00:00.000Z`,
        to: '2026-02-01T00:00:00.000Z',
      }))
      const won = await Promise.all(claims.map((claim) => charges.claimPeriod(claim)))
      expect(won.filter(Boolean)).toHaveLength(1)
    }
  })

  it('concurrent processes gather the charges of an account in one settlement', async () => {
    const settlements = createSettlements(db())
    for (let round = 0; round < ROUNDS; round++) {
      const space = `space-${round}`
      await database.pool.query(
        `insert into app.delivery_batches (id, body_hash, rows, spent, overdelivered) values ($1, '', 1, 5, 0)`,
        [`b-${round}`],
      )
      await database.pool.query(
        `insert into app.delivery_charges (batch_id, space_id, campaign_id, hour, amount)
         values ($1, $2, 'c', '2026-01-01T00:00:00Z', 5)`,
        [`b-${round}`, space],
      )
      const prepared = await Promise.all(times(AT_ONCE, () => settlements.prepare(space, '202601')))
      expect(prepared.map((settlement) => settlement?.number)).toEqual(times(AT_ONCE, () => 1))
    }
  })
})
