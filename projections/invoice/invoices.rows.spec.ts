import { describe, expect, it } from 'vitest'
import { INVOICE_EVENTS, type InvoiceEvent } from '#domain/invoice/events'
import { commit, expectExamplesOf, given, minute } from '#test/support/given-events'
import { itKeepsTheLaws } from '#test/support/rebuild-laws'
import { invoices } from './read-model.ts'

const TERMS = {
  charge_from_date: '2026-10-01',
  charge_to_date: '2026-10-31',
  from: '2026-10-01T00:00:00.000Z',
  to: '2026-11-01T00:00:00.000Z',
  due_date: null,
  note: '',
}
const PLACE = { space_id: 'nile', whitelabel_id: 'dsp', currency: 'USD', offset_seconds: 0 }
const TAX = { tax_mode: 'exclusive', tax_rate: 2000 } as const
const DATES = { issued_at: minute(2), due_at: '2026-11-15T00:00:00.000Z' }
const NOTHING = {}

const DRAFTED: InvoiceEvent = { type: 'InvoiceDrafted', data: { ...TERMS, ...PLACE } }
const ISSUING: InvoiceEvent = { type: 'InvoiceIssuing', data: { ...TAX, ...DATES } }
const ISSUED: InvoiceEvent = {
  type: 'InvoiceIssued',
  data: {
    ...TAX,
    ...DATES,
    number: 'DSP-1',
    lines: [
      { campaign_id: 'c1', name: 'Cruise', amount: 70, impressions: 1000 },
      { campaign_id: 'c2', name: 'Delta', amount: 30, late: true },
    ],
    total: 100,
    rounding: 0,
    tax: 20,
    payable: 120,
  },
}
const logged = (payment_id: string, assigns: number | null): InvoiceEvent => ({
  type: 'PaymentLogged',
  data: {
    payment_id,
    source: 'logged',
    amount: 50,
    method: 'bank_transfer',
    paid_at: '2026-11-02',
    reference: 'R-1',
    comment: '',
    by: 'ada',
    assigns,
  },
})
const applied = (payment_id: string, amount: number): InvoiceEvent => ({ type: 'PaymentApplied', data: { payment_id, amount } })
const reversed: InvoiceEvent = {
  type: 'PaymentReversed',
  data: { payment_id: 'p', release_id: 'r', amount: 40, cause: 'refund', taken: 40 },
}
const released: InvoiceEvent = { type: 'ReleaseRecorded', data: { release_id: 'r' } }
const restored: InvoiceEvent = {
  type: 'PaymentRestored',
  data: { payment_id: 'p', release_id: 'r', amount: 40, cause: 'refund_failed', given: 40 },
}
const credited: InvoiceEvent = {
  type: 'InvoiceCredited',
  data: { credit_note_id: 'n', amount: 30, assigns: 30, comment: 'Late', by: 'ada' },
}
const VOIDED: InvoiceEvent = { type: 'InvoiceVoided', data: { comment: 'Wrong month' } }

/** An invoice, each event in a commit of its own. */
const invoice = (...events: readonly InvoiceEvent[]) =>
  given(...events.map((event) => commit('invoice-i', event))).project(invoices)
const issued = (...events: readonly InvoiceEvent[]) => invoice(DRAFTED, ISSUING, ISSUED, ...events)

describe('a draft of an invoice', () => {
  it('a draft of an invoice has its account, its days, and no number and no lines', () =>
    invoice(DRAFTED).shows({
      invoices: [
        {
          id: 'i',
          space_id: 'nile',
          whitelabel_id: 'dsp',
          currency: 'USD',
          kind: 'invoice',
          stage: 'draft',
          number: null,
          charge_from_date: '2026-10-01',
          charge_to_date: '2026-10-31',
          dated_at: minute(0),
          due_at: null,
          total: 0,
          payable: 0,
          paid: 0,
          credited: 0,
          payments: [],
          unfinished: false,
          changed_at: minute(0),
          state: { stage: 'draft' },
          version: 1,
        },
      ],
      invoice_lines: [],
    }))

  it.each<readonly [title: string, events: readonly InvoiceEvent[], row: object]>([
    [
      'has the days that were chosen last, and the date of its first',
      [{ type: 'DraftChanged', data: { ...TERMS, charge_to_date: '2026-10-15' } }],
      { charge_to_date: '2026-10-15', dated_at: minute(0), changed_at: minute(1) },
    ],
    ['stays as deleted once it is', [{ type: 'DraftDeleted', data: NOTHING }], { stage: 'deleted' }],
    [
      'is unfinished while its charges are gathered',
      [ISSUING],
      { stage: 'issuing', unfinished: true, due_at: DATES.due_at, number: null },
    ],
    [
      'is a draft again, dated as before, without charges',
      [ISSUING, { type: 'IssuingCancelled', data: NOTHING }],
      { stage: 'draft', unfinished: false, due_at: null, dated_at: minute(0) },
    ],
  ])('a draft of an invoice: %s', (_, events, row) => invoice(DRAFTED, ...events).shows({ invoices: [row] }))
})

describe('an issued invoice', () => {
  it('an issued invoice has its number, its amounts and its lines in their order', () =>
    issued().shows({
      invoices: [
        {
          stage: 'issued',
          number: 'DSP-1',
          dated_at: minute(2),
          due_at: DATES.due_at,
          total: 100,
          payable: 120,
          unfinished: false,
        },
      ],
      invoice_lines: [
        { invoice_id: 'i', line: 1, campaign_id: 'c1', name: 'Cruise', amount: 70, impressions: 1000, late: false },
        { invoice_id: 'i', line: 2, campaign_id: 'c2', name: 'Delta', amount: 30, impressions: null, late: true },
      ],
    }))

  const OPEN = { stage: 'issued', paid: 0, credited: 0, unfinished: false }
  it.each<readonly [title: string, events: readonly InvoiceEvent[], row: object]>([
    ['is the same after a mail', [{ type: 'InvoiceMailed', data: { recipients: 2 } }], OPEN],
    ['has a payment that is carried out, and is unfinished', [logged('p', 50)], { ...OPEN, payments: ['p'], unfinished: true }],
    ['is not unfinished for a payment that waits for a second person', [logged('p', null)], { ...OPEN, payments: ['p'] }],
    [
      'is unfinished once a second person confirmed the payment',
      [logged('p', null), { type: 'PaymentConfirmed', data: { payment_id: 'p', assigns: 50 } }],
      { ...OPEN, unfinished: true },
    ],
    [
      'has nothing of a payment that was declined',
      [logged('p', null), { type: 'PaymentDeclined', data: { payment_id: 'p', comment: 'No' } }],
      { ...OPEN, payments: ['p'] },
    ],
    [
      'has nothing of a payment that failed',
      [logged('p', 50), { type: 'InvoicePaymentFailed', data: { payment_id: 'p', code: 131 } }],
      { ...OPEN, payments: ['p'] },
    ],
    [
      'is paid by each payment that was applied',
      [logged('p', 50), applied('p', 50), logged('q', 20), applied('q', 20)],
      { ...OPEN, paid: 70, payments: ['p', 'q'] },
    ],
    [
      'is paid by less after a refund, and unfinished until its funds are released',
      [logged('p', 50), applied('p', 50), reversed],
      { ...OPEN, paid: 10, unfinished: true },
    ],
    ['is finished once the funds are released', [logged('p', 50), applied('p', 50), reversed, released], { ...OPEN, paid: 10 }],
    [
      'is unfinished while a refund that failed is to pay it again',
      [logged('p', 50), applied('p', 50), reversed, released, restored],
      { ...OPEN, paid: 10, unfinished: true },
    ],
    [
      'is paid again by a refund that failed',
      [
        logged('p', 50),
        applied('p', 50),
        reversed,
        released,
        restored,
        { type: 'RestorationRecorded', data: { release_id: 'r', amount: 40 } },
      ],
      { ...OPEN, paid: 50 },
    ],
    ['is credited, and unfinished until the credit note has a number', [credited], { ...OPEN, credited: 30, unfinished: true }],
    [
      'is paid by what its credit note assigned',
      [credited, { type: 'CreditNoteLinked', data: { credit_note_id: 'n', number: 'DSP-C1', assigned: 30 } }],
      { ...OPEN, credited: 30, paid: 30 },
    ],
    ['is void, and unfinished until its charges are free', [VOIDED], { ...OPEN, stage: 'void', unfinished: true }],
    ['is void and finished', [VOIDED, { type: 'ChargesFreed', data: NOTHING }], { ...OPEN, stage: 'void' }],
  ])('an issued invoice: %s', (_, events, row) =>
    issued(...events).shows({
      invoices: [{ number: 'DSP-1', dated_at: minute(2), changed_at: minute(2 + events.length), ...row }],
    }),
  )
})

it('a credit note is a document of its own, which asks for nothing', () =>
  invoice({
    type: 'CreditNoteDocumented',
    data: {
      ...PLACE,
      ...TAX,
      number: 'DSP-C1',
      issued_at: minute(0),
      invoice_id: 'i1',
      invoice_number: 'DSP-1',
      amount: 36,
      tax: 6,
      comment: '',
    },
  }).shows({
    invoices: [
      {
        kind: 'credit_note',
        stage: 'issued',
        number: 'DSP-C1',
        total: 36,
        payable: 36,
        paid: 0,
        due_at: null,
        unfinished: false,
      },
    ],
    invoice_lines: [],
  }))

describe('the history of an invoice', () => {
  it('lists each step with its author, its time and its data', () =>
    given(commit('invoice-i', DRAFTED, { actor: 'sade' }), commit('invoice-i', ISSUING, { actor: 'bola' }))
      .project(invoices)
      .shows({
        invoice_history: [
          { invoice_id: 'i', version: 1, at: minute(0), actor: 'sade', type: 'InvoiceDrafted', data: { note: '' } },
          { invoice_id: 'i', version: 2, at: minute(1), actor: 'bola', type: 'InvoiceIssuing', data: DATES },
        ],
      }))

  it('leaves out the lines, of which there may be thousands', async () => {
    const step = (await issued().rows('invoice_history')).at(-1)
    expect(step).toMatchObject({ type: 'InvoiceIssued', data: { number: 'DSP-1', total: 100 } })
    expect(step?.['data']).not.toHaveProperty('lines')
  })
})

itKeepsTheLaws(invoices)

it('every event that changes the rows of invoices has an example', () => expectExamplesOf(invoices, Object.keys(INVOICE_EVENTS)))
