import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { creditedOf, initial as initialInvoice, paidOf, statusOf, type InvoiceState } from '#domain/invoice/state'
import { rolledBack } from '#test/support/given-events'
import { accounts } from '../account/read-model.ts'
import { invoices } from './read-model.ts'
import { pageOfInvoices } from './queries.ts'

const NOW = '2026-11-10T12:00:00.000Z'

const credit = fc.integer({ min: 0, max: 4 }).map((assigned) => ({ assigned, assigns: 0, amount: assigned, number: 'C' }))
const state = fc
  .record({
    kind: fc.constantFrom('invoice', 'invoice', 'invoice', 'credit_note'),
    stage: fc.constantFrom('draft', 'issuing', 'issued', 'issued', 'issued', 'void'),
    due_at: fc.constantFrom(null, '2026-11-09T12:00:00.000Z', NOW, '2026-11-11T12:00:00.000Z'),
    payable: fc.integer({ min: 0, max: 6 }),
    credits: fc.array(credit, { maxLength: 2, size: 'max' }),
  })
  .map(({ credits, ...one }) => ({
    ...initialInvoice,
    ...one,
    credits: Object.fromEntries(credits.map((each, n) => [String(n), each])),
  })) as unknown as fc.Arbitrary<InvoiceState>

it('the list filters by the status that the invoice itself shows', () =>
  rolledBack([], async (db) => {
    for (const model of [accounts, invoices])
      await model.create(db, Object.fromEntries(model.tables.map((base) => [base, `rm_${base}`])))
    const states = fc.sample(fc.array(state, { minLength: 500, maxLength: 500, size: 'max' }), 1)[0] ?? []
    const rows = states.map((one, n) => ({
      id: String(n),
      kind: one.kind,
      stage: one.stage,
      due_at: one.due_at,
      payable: one.payable,
      paid: paidOf(one),
      credited: creditedOf(one),
      state: one,
    }))
    await sql`
      insert into rm_invoices (id, space_id, whitelabel_id, currency, kind, stage, charge_from_date, charge_to_date, dated_at, due_at,
        total, payable, paid, credited, payments, unfinished, changed_at, state, version)
      select id, 's', 'w', 'USD', kind, stage, '', '', '', due_at, payable, payable, paid, credited, '{}', false, '', state, 1
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r(id text, kind text, stage text, due_at text, payable bigint, paid bigint, credited bigint, state jsonb)`.execute(db)
    for (const status of [1, 2, 3, 4, 5, 6]) {
      const filter = {
        whitelabelId: null,
        spaceId: null,
        statuses: [status],
        from: null,
        to: null,
        search: '',
        drafts: true,
        now: NOW,
      }
      const page = await pageOfInvoices(db, filter, 0, 1000)
      const wanted = states.flatMap((one, n) => (statusOf(one, NOW) === status ? [String(n)] : []))
      expect(wanted.length).toBeGreaterThan(5)
      expect(page.rows.map(({ id }) => id).sort()).toEqual(wanted.sort())
    }
  }))
