import { INVOICE_STATUS } from './invoice-status.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { givenFor } from '#test/support/decider'
import type { InvoiceLine, PaymentDetails } from './events.ts'
import { decide, type InvoiceCommand } from './invoice.ts'
import { creditableOf, creditedOf, evolve, initial, openOf, paidOf, statusOf } from './state.ts'

const META = { at: '2026-03-01T00:00:00Z', actor: 'ada' }
const USD = 1_000_000

const given = givenFor({ decide, evolve: (state, event) => evolve(state, event, META), initial })

const TERMS = {
  charge_from_date: '2026-02-01',
  charge_to_date: '2026-02-28',
  from: '2026-02-01T00:00:00Z',
  to: '2026-03-01T00:00:00Z',
  due_date: null,
  note: '',
}
const DRAFT: InvoiceCommand = {
  type: 'Draft',
  draft: { ...TERMS, space_id: 's', whitelabel_id: 'w', currency: 'USD', offset_seconds: 0 },
}
const ISSUING: InvoiceCommand = {
  type: 'StartIssuing',
  issuedAt: '2026-03-01T00:00:00Z',
  dueAt: '2026-03-15T00:00:00Z',
  tax: { tax_mode: 'none', tax_rate: 0 },
}
const line = (amount: number): InvoiceLine => ({ campaign_id: 'c', name: 'Cruise', amount, impressions: 1000, late: false })
const issue = (...amounts: readonly number[]): InvoiceCommand => ({ type: 'Issue', number: 'W-1', lines: amounts.map(line) })
const ISSUED = [DRAFT, ISSUING, issue(100 * USD)]

const log = (
  amount: number,
  over: Partial<PaymentDetails> = {},
  by = 'ada',
): Extract<InvoiceCommand, { type: 'LogPayment' }> => ({
  type: 'LogPayment',
  payment: {
    payment_id: 'p',
    source: 'logged',
    amount,
    method: 'bank_transfer',
    paid_at: '2026-03-02',
    reference: 'R-1',
    comment: '',
    ...over,
  },
  by,
  limit: null,
  force: false,
  known: false,
})
const APPLY: InvoiceCommand = { type: 'ApplyPayment', paymentId: 'p' }
const VOID: InvoiceCommand = { type: 'Void', comment: 'Wrong account', releaseIdOf: (id) => `release of ${id}` }
const credit = (amount: number, id = 'n'): InvoiceCommand => ({
  type: 'Credit',
  creditNoteId: id,
  amount,
  comment: 'Agreed',
  by: 'ada',
})
const takeBack = (taken: number, releaseId = 'r'): InvoiceCommand => ({
  type: 'TakeBack',
  paymentId: 'p',
  releaseId,
  taken,
  cause: 'refund',
})

describe('an invoice', () => {
  it('an invoice is drafted once, changed, and deleted while it is a draft', () => {
    given(DRAFT).when(DRAFT).then([])
    given(DRAFT).when({ type: 'ChangeDraft', terms: TERMS }).then([])
    given(DRAFT)
      .when({ type: 'ChangeDraft', terms: { ...TERMS, note: 'Thank you' } })
      .then(['DraftChanged'])
    given(DRAFT).when({ type: 'DeleteDraft' }).then(['DraftDeleted'])
    given(ISSUED).when({ type: 'DeleteDraft' }).then(134)
    given(ISSUED).when({ type: 'ChangeDraft', terms: TERMS }).then(134)
  })

  it.each([{ type: 'Read' }, ISSUING, issue(1), log(1), VOID, credit(1)] as const)(
    'an invoice that does not exist, or was deleted, refuses $type with 131',
    (command) => {
      given().when(command).then(131)
      given(DRAFT, { type: 'DeleteDraft' }).when(command).then(131)
    },
  )

  it('an invoice is frozen while it is issued, and goes back to a draft when that is cancelled', () => {
    const issuing = given(DRAFT, ISSUING)
    issuing.when(ISSUING).then([])
    issuing.when({ type: 'DeleteDraft' }).then(134)
    const back = issuing.when({ type: 'CancelIssuing' }).state
    expect(back).toMatchObject({ stage: 'draft', issued_at: null, due_at: null })
  })

  it('adds its lines up to a sum in whole minor units', () => {
    const { state } = given(DRAFT, ISSUING, issue(1_234_567, 2_000_000))
    expect(state).toMatchObject({ stage: 'issued', number: 'W-1', total: 3_234_567, payable: 3_230_000, rounding: -4567, tax: 0 })
    given(DRAFT, ISSUING, issue(1)).when(issue(1)).then([])
  })

  it.each([
    ['inclusive', 120 * USD, 20 * USD],
    ['exclusive', 144 * USD, 24 * USD],
  ] as const)('an invoice with a tax of 20 %% that is %s asks for %d', (tax_mode, payable, tax) => {
    const taxed: InvoiceCommand = { ...ISSUING, type: 'StartIssuing', tax: { tax_mode, tax_rate: 2000 } }
    expect(given(DRAFT, taxed, issue(120 * USD)).state).toMatchObject({ payable, tax })
  })

  // covers FP-61
  it('an invoice has the status of its money and of the time', () => {
    const { state } = given(ISSUED)
    expect(statusOf(state, '2026-03-10T00:00:00Z')).toBe(INVOICE_STATUS.sent)
    expect(statusOf(state, '2026-03-15T00:00:01Z')).toBe(INVOICE_STATUS.overdue)
    expect(statusOf(given(ISSUED, log(40 * USD), APPLY).state, '2026-03-10T00:00:00Z')).toBe(INVOICE_STATUS.partPaid)
    expect(statusOf(given(ISSUED, log(100 * USD), APPLY).state, '2026-04-01T00:00:00Z')).toBe(INVOICE_STATUS.paid)
    expect(statusOf(given(ISSUED, VOID).state, '2026-04-01T00:00:00Z')).toBe(INVOICE_STATUS.void)
  })
})

describe('a payment of an invoice', () => {
  it('a payment of an invoice is reserved when it is logged, and pays once it is applied', () => {
    const logged = given(ISSUED, log(60 * USD))
    expect([openOf(logged.state), paidOf(logged.state)]).toEqual([40 * USD, 0])
    const applied = logged.when(APPLY).state
    expect([openOf(applied), paidOf(applied)]).toEqual([40 * USD, 60 * USD])
    given(ISSUED, log(60 * USD), APPLY)
      .when(APPLY)
      .then([])
  })

  it('a payment of an invoice that the account refuses frees what it had reserved', () => {
    const { state } = given(ISSUED, log(60 * USD), { type: 'FailPayment', paymentId: 'p', code: 2 })
    expect([openOf(state), paidOf(state)]).toEqual([100 * USD, 0])
  })

  it.each([
    ['of nothing', log(0), 'amount:positiveNumber'],
    ['of a part of a micro', log(0.5), 'amount:positiveNumber'],
    ['by card that was not charged here', log(1, { method: 'card' }), 'method:notAllowed'],
    ['without a method', log(1, { method: null }), 'method:notAllowed'],
    ['from funds that is more than is due', log(101 * USD, { source: 'balance' }), 'amount:moreThanDue'],
    ['with a long reference', log(1, { reference: 'x'.repeat(1001) }), 'reference:maxLength'],
    ['with a long comment', log(1, { comment: 'x'.repeat(1001) }), 'comment:maxLength'],
    ['that another invoice has', { ...log(1), known: true }, 'reference:paymentRepeated'],
  ] as const)('a payment %s is refused', (_, command, fault) => {
    given(ISSUED).when(command).then(2, fault)
  })

  it('a payment of an invoice with the reference, amount and day of another one is refused, unless it is forced with a comment', () => {
    const once = given(ISSUED, log(10 * USD))
    const again = log(10 * USD, { payment_id: 'q' })
    once.when(again).then(2, 'reference:paymentRepeated')
    once.when({ ...again, force: true }).then(1301)
    const commented = log(10 * USD, { payment_id: 'q', comment: 'Two transfers' })
    once.when({ ...commented, force: true }).then(['PaymentLogged'])
    once.when(log(10 * USD, { payment_id: 'q', paid_at: '2026-03-03' })).then(['PaymentLogged'])
    once.when(log(10 * USD)).then([])
  })

  it('a payment of an invoice that was declined or has failed does not keep the same transfer from being logged again', () => {
    const again = log(10 * USD, { payment_id: 'q' })
    const declined: InvoiceCommand = { type: 'DeclinePayment', paymentId: 'p', by: 'bola', comment: 'Not there yet' }
    given(ISSUED, { ...log(10 * USD), limit: 0 }, declined)
      .when(again)
      .then(['PaymentLogged'])
    const failed: InvoiceCommand = { type: 'FailPayment', paymentId: 'p', code: 2 }
    given(ISSUED, log(10 * USD), failed)
      .when(again)
      .then(['PaymentLogged'])
  })

  it('a payment of an invoice without a reference is no repetition of another one without', () => {
    const cash = { method: 'cash', reference: '' } as const
    given(ISSUED, log(10 * USD, cash))
      .when(log(10 * USD, { ...cash, payment_id: 'q' }))
      .then(['PaymentLogged'])
  })

  it('a payment of an invoice of more than is due, or above the limit of a user, waits for a second person', () => {
    for (const command of [log(101 * USD), { ...log(100 * USD), limit: 50 * USD }]) {
      const waiting = given(ISSUED, command)
      expect(waiting.state.payments['p']).toMatchObject({ stage: 'pending', assigns: 0 })
      waiting.when({ type: 'ConfirmPayment', paymentId: 'p', by: 'ada' }).then(3)
      waiting.when({ type: 'DeclinePayment', paymentId: 'p', by: 'ada', comment: '' }).then(3)
      const confirmed = waiting.when({ type: 'ConfirmPayment', paymentId: 'p', by: 'bola' }).state
      expect(confirmed.payments['p']).toMatchObject({ stage: 'confirmed', assigns: 100 * USD })
    }
    expect(given(ISSUED, { ...log(50 * USD), limit: 50 * USD }).state.payments['p']?.stage).toBe('confirmed')
  })

  it('a payment of an invoice that is declined, or was never logged, is not confirmed', () => {
    const declined = given(ISSUED, log(101 * USD), { type: 'DeclinePayment', paymentId: 'p', by: 'bola', comment: 'No' })
    declined.when({ type: 'ConfirmPayment', paymentId: 'p', by: 'bola' }).then(134)
    declined.when({ type: 'ConfirmPayment', paymentId: 'q', by: 'bola' }).then(131)
  })

  it('a payment of an invoice of a paid, void or unissued invoice is refused with 134', () => {
    given(DRAFT).when(log(1)).then(134)
    given(ISSUED, VOID).when(log(1)).then(134)
    given(ISSUED, log(100 * USD), APPLY)
      .when(log(1, { payment_id: 'q' }))
      .then(134)
  })

  it('a payment of an invoice that is taken back leaves first what pays no invoice', () => {
    const overpaid = given(ISSUED, log(130 * USD), { type: 'ConfirmPayment', paymentId: 'p', by: 'bola' }, APPLY)
    expect(paidOf(overpaid.state)).toBe(100 * USD)
    expect(paidOf(overpaid.when(takeBack(30 * USD)).state)).toBe(100 * USD)
    expect(paidOf(overpaid.when(takeBack(50 * USD)).state)).toBe(80 * USD)
    given(ISSUED, log(1), APPLY, takeBack(1)).when(takeBack(1)).then([])
  })

  it('a payment of an invoice is taken back by every partial refund', () => {
    expect(paidOf(given(ISSUED, log(100 * USD), APPLY, takeBack(40 * USD), takeBack(30 * USD, 's')).state)).toBe(30 * USD)
  })

  it('a payment of an invoice that comes again pays as far as the invoice is still due, and no more than was taken', () => {
    const paid = [...ISSUED, log(80 * USD), APPLY, takeBack(30 * USD)]
    const again: InvoiceCommand = { type: 'GiveBack', releaseId: 'r', given: 90 * USD, cause: 'refund_failed' }
    // Before the account has released the funds there is nothing to give back.
    given(paid).when(again).then([])
    const restored = given(paid, { type: 'RecordRelease', releaseId: 'r' }, again)
    expect(restored.state.payments['p']).toMatchObject({ assigns: 30 * USD, applied: 50 * USD })
    const recorded = restored.when({ type: 'RecordRestoration', releaseId: 'r', assigned: 25 * USD }).state
    expect(recorded.payments['p']).toMatchObject({ assigns: 0, applied: 75 * USD })
    restored.when(again).then([])
  })
})

describe('a void invoice', () => {
  it('needs a comment, declines what waits, and releases what was paid', () => {
    given(ISSUED)
      .when({ ...VOID, comment: '' })
      .then(1301)
    const paid = given(ISSUED, log(30 * USD), APPLY, log(200 * USD, { payment_id: 'q', reference: 'R-2' }))
    const { state } = paid.when(VOID).then(['InvoiceVoided', 'PaymentDeclined', 'PaymentReversed'])
    expect([paidOf(state), openOf(state), state.releases['release of p']?.amount]).toEqual([0, 0, 30 * USD])
  })

  it('a void invoice is made once, and not while a payment is carried out or a credit note corrects it', () => {
    given(ISSUED, VOID).when(VOID).then([])
    given(ISSUED, log(1)).when(VOID).then(134)
    given(ISSUED, credit(1)).when(VOID).then(134)
    given(DRAFT).when(VOID).then(134)
  })

  it('frees its charges once', () => {
    const freed = given(ISSUED, VOID, { type: 'NoteFreed' })
    expect(freed.state.freed).toBe(true)
    freed.when({ type: 'NoteFreed' }).then([])
    given(ISSUED).when({ type: 'NoteFreed' }).then([])
  })
})

describe('a credit note', () => {
  it('pays what is still due, and never corrects more than was invoiced', () => {
    const half = given(ISSUED, log(70 * USD), APPLY, credit(50 * USD))
    expect(half.state.credits['n']).toMatchObject({ amount: 50 * USD, assigns: 30 * USD, number: null })
    half.when(credit(50 * USD, 'm')).then(['InvoiceCredited'])
    half.when(credit(50 * USD + 1, 'm')).then(2, 'amount:moreThanInvoiced')
    half.when(credit(0, 'm')).then(2, 'amount:positiveNumber')
    half.when(credit(50 * USD)).then([])
  })

  it('a credit note is linked once, with what the account assigned', () => {
    const link: InvoiceCommand = { type: 'LinkCredit', creditNoteId: 'n', number: 'W-2', assigned: 20 * USD }
    const linked = given(ISSUED, credit(20 * USD), link)
    expect(linked.state.credits['n']).toMatchObject({ number: 'W-2', assigned: 20 * USD, assigns: 0 })
    linked.when(link).then([])
    expect(paidOf(linked.state)).toBe(20 * USD)
  })
})

const amount = fc.integer({ min: 1, max: 150 * USD })
const command: fc.Arbitrary<InvoiceCommand> = fc.oneof(
  fc.tuple(amount, fc.constantFrom('p', 'q')).map(([paid, id]) => log(paid, { payment_id: id, reference: id })),
  fc.constantFrom('p', 'q').map((paymentId) => ({ type: 'ApplyPayment' as const, paymentId })),
  fc.constantFrom('p', 'q').map((paymentId) => ({ type: 'ConfirmPayment' as const, paymentId, by: 'bola' })),
  fc.constantFrom('p', 'q').map((paymentId) => ({ type: 'FailPayment' as const, paymentId, code: 2 })),
  amount.map(takeBack),
  fc.constant({ type: 'RecordRelease' as const, releaseId: 'r' }),
  amount.map((given) => ({ type: 'GiveBack' as const, releaseId: 'r', given, cause: 'dispute_won' as const })),
  amount.map((assigned) => ({ type: 'RecordRestoration' as const, releaseId: 'r', assigned: Math.min(assigned, USD) })),
  fc.tuple(amount, fc.constantFrom('n', 'm')).map(([corrected, id]) => credit(corrected, id)),
  fc.constant(VOID),
)

it('an invoice is never paid, reserved or corrected by more than it asks for, whatever happens to it', () => {
  const reached = { paid: 0, corrected: 0, reversed: 0, voided: 0 }
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30, size: 'max' }), (commands) => {
      let life = given(ISSUED)
      for (const one of commands) {
        life = life.when(one)
        const { state } = life
        expect(openOf(state)).toBeGreaterThanOrEqual(0)
        expect(paidOf(state)).toBeGreaterThanOrEqual(0)
        expect(paidOf(state)).toBeLessThanOrEqual(state.payable)
        expect(creditedOf(state)).toBeLessThanOrEqual(creditableOf(state))
        for (const { applied, taken, amount: all } of Object.values(state.payments)) {
          expect(applied).toBeGreaterThanOrEqual(0)
          expect(applied).toBeLessThanOrEqual(Math.max(0, all - taken))
        }
      }
      const { state } = life
      if (paidOf(state) > 0) reached.paid += 1
      if (creditedOf(state) > 0) reached.corrected += 1
      if (Object.keys(state.releases).length > 0) reached.reversed += 1
      if (state.stage === 'void') reached.voided += 1
    }),
    { numRuns: 300 },
  )
  for (const times of Object.values(reached)) expect(times).toBeGreaterThan(10)
})
