import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { condensedUpTo, condenseSettlements } from '#platform/delivery/condense'
import { createSettlements } from '#platform/delivery/settlements'
import { createInvoiceCharges } from '#platform/invoice/charges'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const HOUR = '2026-01-10T08:00:00.000Z'
const MONTH = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' }

describe('the charged hours of an account', () => {
  let database: TestDatabase
  let db: Kysely<Db>
  let batches = 0
  beforeAll(async () => {
    database = await createTestDatabase()
    db = createKysely(database.pool)
  })
  afterAll(() => database.drop())

  const rows = async <T extends object>(text: string, values: readonly unknown[] = []) =>
    (await database.pool.query<T>(text, [...values])).rows
  async function charge(space: string, amount: number, campaign = 'c', hour = HOUR, impressions: number | null = 10) {
    const batch = `batch-${(batches += 1)}`
    await rows(`insert into app.delivery_batches (id, body_hash, rows, spent, overdelivered) values ($1, '', 1, $2, 0)`, [
      batch,
      amount,
    ])
    await rows(
      `insert into app.delivery_charges (batch_id, space_id, campaign_id, hour, amount, impressions) values ($1, $2, $3, $4, $5, $6)`,
      [batch, space, campaign, hour, amount, impressions],
    )
  }
  async function settle(space: string): Promise<number> {
    const settlements = createSettlements(db)
    const settlement = await settlements.prepare(space, '202601')
    if (settlement === null) throw new Error('nothing to settle')
    await settlements.recorded(space, settlement.number, { month: '202601', spent: settlement.amount })
    return settlement.number
  }
  const hoursOf = (space: string) =>
    rows<{ campaign_id: string; amount: number; impressions: number | null; settlements: string; invoice_id: string | null }>(
      `select campaign_id, amount::int, impressions::int, first_settlement || '-' || last_settlement as settlements, invoice_id
       from app.charged_hours where space_id = $1 order by campaign_id, hour, first_settlement`,
      [space],
    )
  const take = (charges: ReturnType<typeof createInvoiceCharges>, spaceId: string, invoiceId: string) =>
    charges.takeCharges({ invoiceId, spaceId, whitelabelId: 'dsp', ...MONTH, year: 2026, issuedAt: 'then' })
  /** Open hours of many campaigns. */
  const many = (space: string, count: number) =>
    rows(
      `insert into app.charged_hours (space_id, campaign_id, hour, first_settlement, last_settlement, amount)
       select $1, 'c-' || n, $2::timestamptz + make_interval(hours => n % 24), 1, 1, n from generate_series(1, $3) n`,
      [space, HOUR, count],
    )

  it('the charged hours of an account sum the charges of an hour, and not by batch', async () => {
    for (const amount of [1, 2, 3]) {
      await charge('sums', amount)
      await charge('sums', amount * 10, 'd', HOUR, null)
      await settle('sums')
    }
    expect(await hoursOf('sums')).toEqual([
      { campaign_id: 'c', amount: 6, impressions: 30, settlements: '1-3', invoice_id: null },
      { campaign_id: 'd', amount: 60, impressions: null, settlements: '1-3', invoice_id: null },
    ])
  })

  it('the charged hours of an account have each settlement once, by however many processes it is recorded at once', async () => {
    for (let round = 0; round < 10; round++) {
      const space = `once-${round}`
      await charge(space, 5)
      const settlements = createSettlements(db)
      const settlement = await settlements.prepare(space, '202601')
      const record = () => settlements.recorded(space, settlement?.number ?? 0, { month: '202601', spent: 5 })
      await Promise.all([record(), record(), record(), record()])
      expect((await hoursOf(space)).map(({ amount }) => amount)).toEqual([5])
    }
  })

  it('the charged hours of an account are a row of their own after an invoice took the hour, also while it takes them', async () => {
    const charges = createInvoiceCharges(db)
    await charge('taken', 5)
    await settle('taken')
    await charge('taken', 7)
    const [result] = await Promise.all([take(charges, 'taken', 'taken-invoice'), settle('taken')])
    await charge('taken', 9)
    await settle('taken')
    const found = await hoursOf('taken')
    const own = found.filter(({ invoice_id: id }) => id !== null).reduce((sum, { amount }) => sum + amount, 0)
    expect(result?.lines.map(({ amount }) => amount)).toEqual([own])
    expect(found.reduce((sum, { amount }) => sum + amount, 0)).toBe(21)
    expect(found.map(({ settlements }) => settlements)).toEqual(own === 5 ? ['1-1', '2-3'] : ['1-2', '3-3'])
  })

  it('the charged hours of an account name the days and settlements behind a line', async () => {
    const charges = createInvoiceCharges(db)
    for (const amount of [4, 6]) {
      await charge('line', amount)
      await settle('line')
    }
    await take(charges, 'line', 'line-invoice')
    await charge('line', 100)
    await settle('line')
    const line = { claim: { invoiceId: 'line-invoice', spaceId: 'line', ...MONTH }, campaignId: 'c', late: false, zone: 0 }
    const days = () => charges.daysOfLine({ ...line, isDraft: false })
    const settlements = [
      { number: 1, amount: 4 },
      { number: 2, amount: 6 },
    ]
    expect(await days()).toEqual([{ day: '2026-01-10', amount: 10, settlements }])
    await rows(`update app.settlements set made_at = now() - interval '40 days' where space_id = 'line' and number = 1`)
    await condenseSettlements(db, 35, 1000)
    expect(await days()).toEqual([{ day: '2026-01-10', amount: 10, settlements: settlements.slice(1) }])
  })

  it('charged hours belong to one invoice after a crash while issuing it, and are all taken by the next attempt', async () => {
    await many('crash', 25_000)
    let transactions = 0
    const crashing = new Proxy(db, {
      get(target, name) {
        if (name === 'transaction' && (transactions += 1) > 2) throw new Error('the process ended')
        const value = Reflect.get(target, name, target) as unknown
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
    await expect(take(createInvoiceCharges(crashing), 'crash', 'half')).rejects.toThrow('the process ended')
    const [marked] = await rows<{ n: number }>(`select count(*)::int as n from app.charged_hours where invoice_id = 'half'`)
    expect(marked?.n).toBe(20_000)
    const charges = createInvoiceCharges(db)
    const whole = (25_000 * 25_001) / 2
    // Its draft still shows all of them, and no other invoice takes the others.
    const claim = { invoiceId: 'half', spaceId: 'crash', ...MONTH }
    expect(await charges.draftTotals([claim])).toEqual(new Map([['half', whole]]))
    expect(await take(charges, 'crash', 'other')).toBeNull()
    // Two processes finish it at once.
    const [one, two] = await Promise.all([take(charges, 'crash', 'half'), take(charges, 'crash', 'half')])
    expect(one?.lines.length).toBe(25_000)
    expect(one?.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(whole)
    expect(JSON.stringify(two)).toBe(JSON.stringify(one))
    await charges.freeCharges('half')
    expect(await charges.draftTotals([claim])).toEqual(new Map([['half', whole]]))
  })

  it('the charged hours of an account are found for the monthly invoices by account, each with its first open hour', async () => {
    const charges = createInvoiceCharges(db)
    await many('month-a', 30)
    await many('month-b', 3)
    const open = async () =>
      (await charges.openMonths('2027-01-01T00:00:00.000Z')).filter(({ spaceId }) => spaceId.startsWith('month-'))
    expect(await open()).toEqual([
      { spaceId: 'month-a', first: HOUR },
      { spaceId: 'month-b', first: '2026-01-10T09:00:00.000Z' },
    ])
    expect(await charges.openMonths(HOUR)).toEqual([])
    await take(charges, 'month-a', 'month-a-invoice')
    expect(await open()).toEqual([{ spaceId: 'month-b', first: '2026-01-10T09:00:00.000Z' }])
  })

  it('the charged hours of an account stay when old settlements are condensed: only batches are forgotten, and numbers go on', async () => {
    for (const amount of [1, 2, 3]) {
      await charge('old', amount)
      await settle('old')
    }
    await charge('old', 50)
    await createSettlements(db).prepare('old', '202601')
    await rows(`update app.settlements set made_at = now() - interval '40 days' where space_id = 'old'`)
    expect(await condensedUpTo(db, 'old')).toBe(0)
    await condenseSettlements(db, 35, 1000)
    await condenseSettlements(db, 35, 1000)
    expect(await condensedUpTo(db, 'old')).toBe(2)
    const left = await rows<{ amount: number }>(
      `select amount::int from app.delivery_charges where space_id = 'old' order by amount`,
    )
    expect(left.map(({ amount }) => amount)).toEqual([3, 50])
    expect((await hoursOf('old')).map(({ amount, settlements }) => [amount, settlements])).toEqual([[6, '1-3']])
    expect(await settle('old')).toBe(4)
  })
})
