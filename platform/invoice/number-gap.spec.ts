import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKysely } from '#platform/database/pool'
import { createTestDatabase, type TestDatabase } from '#test/support/database'
import { createInvoiceCharges } from './charges.ts'
import { gapLines, leaveNumberGap } from './number-gap.ts'

let database: TestDatabase
let take: (whitelabelId: string, documentId: string) => Promise<number>
beforeAll(async () => {
  database = await createTestDatabase()
  const charges = createInvoiceCharges(createKysely(database.pool))
  take = (whitelabelId, documentId) => charges.takeNumber({ documentId, whitelabelId, year: 2026 })
})
afterAll(() => database.drop())

it('gives no number of after the backup again, after each restore', async () => {
  for (const id of ['a', 'b', 'c']) await take('dsp', id)
  await take('ng', 'd')
  // Lost with the database: the next numbers of dsp and ng, and the first ones of tn.
  const gaps = await leaveNumberGap(database.pool, '2026-11-29T10:00:00.000Z')
  expect(gapLines(gaps)).toEqual([
    'Invoices and credit notes of other white-labels go on after 10000: earlier numbers may be at customers already',
    'Invoices and credit notes of dsp go on after DSP-2026-010003: numbers after DSP-2026-000003 may be at customers already',
    'Invoices and credit notes of ng go on after NG-2026-010001: numbers after NG-2026-000001 may be at customers already',
  ])
  expect([await take('dsp', 'e'), await take('dsp', 'f'), await take('ng', 'g'), await take('tn', 'h')]).toEqual([
    10_004, 10_005, 10_002, 10_001,
  ])
  // A document keeps the number that it has.
  expect(await take('dsp', 'a')).toBe(1)
  await leaveNumberGap(database.pool, '2026-12-01T10:00:00.000Z')
  expect([await take('dsp', 'i'), await take('tn', 'j'), await take('am', 'k')]).toEqual([20_006, 20_002, 20_001])
})

it('leaves as many out as a large white-label has', async () => {
  await database.pool.query(
    `insert into app.invoice_numbers select 'large', n, 'large ' || n, 2026 from generate_series(1, 40000) n`,
  )
  await leaveNumberGap(database.pool, '2027-01-02T10:00:00.000Z')
  expect(await take('large', 'next')).toBe(80_001)
})

it('leaves none out twice for one restore', async () => {
  const at = '2027-02-01T10:00:00.000Z'
  const first = await leaveNumberGap(database.pool, at)
  expect(first.length).toBeGreaterThan(2)
  expect(await leaveNumberGap(database.pool, at)).toEqual([])
})
