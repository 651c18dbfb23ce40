import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { InvoiceLine, PaymentDetails } from './events.ts'
import { decide, type InvoiceCommand } from './invoice.ts'
import {
  creditableOf,
  creditedOf,
  evolve,
  initial,
  INVOICE_STATUS,
  openOf,
  paidOf,
  statusOf,
  type InvoiceState,
} from './state.ts'

const META = { at: '2026-03-01T00:00:00Z', actor: 'ada' }
const USD = 1_000_000

/** An invoice after these commands, each of which must have been accepted. */
function given(...commands: readonly InvoiceCommand[]) {
  const run = (state: InvoiceState, command: InvoiceCommand): InvoiceState => {
    const decision = decide(command, state)
    if (decision.kind === 'rejected') throw new Error(`${command.type} was refused with ${decision.rejection.code}`)
    return decision.events.reduce((next, event) => evolve(next, event, META), state)
  }
  const state = commands.reduce(run, initial)
  return {
    state,
    /** The types of the events, or the code of the refusal with the keys of its faults. */
    when(command: InvoiceCommand): readonly string[] | { readonly code: number; readonly keys: readonly (string | undefined)[] } {
      const decision = decide(command, state)
      return decision.kind === 'events'
        ? decision.events.map(({ type }) => type)
        : { code: decision.rejection.code, keys: (decision.rejection.faults ?? []).map(({ key }) => key) }
    },
    after: (command: InvoiceCommand): InvoiceState => run(state, command),
  }
}

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
const issued = (amount = 100 * USD): readonly InvoiceCommand[] => [DRAFT, ISSUING, issue(amount)]

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
  it('is drafted once, changed, and deleted while it is a draft', () => {
    expect(given(DRAFT).when(DRAFT)).toEqual([])
    expect(given(DRAFT).when({ type: 'ChangeDraft', terms: TERMS })).toEqual([])
    expect(given(DRAFT).when({ type: 'ChangeDraft', terms: { ...TERMS, note: 'Thank you' } })).toEqual(['DraftChanged'])
    expect(given(DRAFT).when({ type: 'DeleteDraft' })).toEqual(['DraftDeleted'])
    expect(given(...issued()).when({ type: 'DeleteDraft' })).toMatchObject({ code: 134 })
    expect(given(...issued()).when({ type: 'ChangeDraft', terms: TERMS })).toMatchObject({ code: 134 })
  })

  it.each([{ type: 'Read' }, ISSUING, issue(1), log(1), VOID, credit(1)] as const)(
    'that does not exist, or was deleted, refuses $type with 131',
    (command) => {
      expect(given().when(command)).toMatchObject({ code: 131 })
      expect(given(DRAFT, { type: 'DeleteDraft' }).when(command)).toMatchObject({ code: 131 })
    },
  )

  it('is frozen while it is issued, and goes back to a draft when that is cancelled', () => {
    const issuing = given(DRAFT, ISSUING)
    expect(issuing.when(ISSUING)).toEqual([])
    expect(issuing.when({ type: 'DeleteDraft' })).toMatchObject({ code: 134 })
    const back = issuing.after({ type: 'CancelIssuing' })
    expect(back).toMatchObject({ stage: 'draft', issued_at: null, due_at: null })
  })

  it('adds its lines up to a sum in whole minor units', () => {
    const { state } = given(DRAFT, ISSUING, issue(1_234_567, 2_000_000))
    expect(state).toMatchObject({ stage: 'issued', number: 'W-1', total: 3_234_567, payable: 3_230_000, rounding: -4567, tax: 0 })
    expect(given(DRAFT, ISSUING, issue(1)).when(issue(1))).toEqual([])
  })

  it.each([
    ['inclusive', 120 * USD, 20 * USD],
    ['exclusive', 144 * USD, 24 * USD],
  ] as const)('with a tax of 20 %% that is %s asks for %d', (tax_mode, payable, tax) => {
    const taxed: InvoiceCommand = { ...ISSUING, type: 'StartIssuing', tax: { tax_mode, tax_rate: 2000 } }
    expect(given(DRAFT, taxed, issue(120 * USD)).state).toMatchObject({ payable, tax })
  })

  // covers FP-61
  it('has the status of its money and of the time', () => {
    const { state } = given(...issued())
    expect(statusOf(state, '2026-03-10T00:00:00Z')).toBe(INVOICE_STATUS.sent)
    expect(statusOf(state, '2026-03-15T00:00:01Z')).toBe(INVOICE_STATUS.overdue)
    expect(statusOf(given(...issued(), log(40 * USD), APPLY).state, '2026-03-10T00:00:00Z')).toBe(INVOICE_STATUS.partPaid)
    expect(statusOf(given(...issued(), log(100 * USD), APPLY).state, '2026-04-01T00:00:00Z')).toBe(INVOICE_STATUS.paid)
    expect(statusOf(given(...issued(), VOID).state, '2026-04-01T00:00:00Z')).toBe(INVOICE_STATUS.void)
  })
})

describe('a payment of an invoice', () => {
  it('is reserved when it is logged, and pays once it is applied', () => {
    const logged = given(...issued(), log(60 * USD))
    expect([openOf(logged.state), paidOf(logged.state)]).toEqual([40 * USD, 0])
    const applied = logged.after(APPLY)
    expect([openOf(applied), paidOf(applied)]).toEqual([40 * USD, 60 * USD])
    expect(given(...issued(), log(60 * USD), APPLY).when(APPLY)).toEqual([])
  })

  it('that the account refuses frees what it had reserved', () => {
    const { state } = given(...issued(), log(60 * USD), { type: 'FailPayment', paymentId: 'p', code: 2 })
    expect([openOf(state), paidOf(state)]).toEqual([100 * USD, 0])
  })

  it.each([
    ['of nothing', log(0), 'positiveNumber'],
    ['of a part of a micro', log(0.5), 'positiveNumber'],
    ['by card that was not charged here', log(1, { method: 'card' }), 'notAllowed'],
    ['without a method', log(1, { method: null }), 'notAllowed'],
    ['from funds that is more than is due', log(101 * USD, { source: 'balance' }), 'moreThanDue'],
    ['with a long reference', log(1, { reference: 'x'.repeat(1001) }), 'maxLength'],
    ['with a long comment', log(1, { comment: 'x'.repeat(1001) }), 'maxLength'],
    ['that another invoice has', { ...log(1), known: true }, 'paymentRepeated'],
  ] as const)('%s is refused', (_, command, key) => {
    expect(given(...issued()).when(command)).toEqual({ code: 2, keys: [key] })
  })

  it('with the reference, amount and day of another one is refused, unless it is forced with a comment', () => {
    const once = given(...issued(), log(10 * USD))
    const again = log(10 * USD, { payment_id: 'q' })
    expect(once.when(again)).toEqual({ code: 2, keys: ['paymentRepeated'] })
    expect(once.when({ ...again, force: true })).toMatchObject({ code: 1301 })
    const commented = log(10 * USD, { payment_id: 'q', comment: 'Two transfers' })
    expect(once.when({ ...commented, force: true })).toEqual(['PaymentLogged'])
    expect(once.when(log(10 * USD, { payment_id: 'q', paid_at: '2026-03-03' }))).toEqual(['PaymentLogged'])
    expect(once.when(log(10 * USD))).toEqual([])
  })

  it('that was declined or has failed does not keep the same transfer from being logged again', () => {
    const again = log(10 * USD, { payment_id: 'q' })
    const declined: InvoiceCommand = { type: 'DeclinePayment', paymentId: 'p', by: 'bola', comment: 'Not there yet' }
    expect(given(...issued(), { ...log(10 * USD), limit: 0 }, declined).when(again)).toEqual(['PaymentLogged'])
    const failed: InvoiceCommand = { type: 'FailPayment', paymentId: 'p', code: 2 }
    expect(given(...issued(), log(10 * USD), failed).when(again)).toEqual(['PaymentLogged'])
  })

  it('without a reference is no repetition of another one without', () => {
    const cash = { method: 'cash', reference: '' } as const
    expect(given(...issued(), log(10 * USD, cash)).when(log(10 * USD, { ...cash, payment_id: 'q' }))).toEqual(['PaymentLogged'])
  })

  it('of more than is due, or above the limit of a user, waits for a second person', () => {
    for (const command of [log(101 * USD), { ...log(100 * USD), limit: 50 * USD }]) {
      const waiting = given(...issued(), command)
      expect(waiting.state.payments['p']).toMatchObject({ stage: 'pending', assigns: 0 })
      expect(waiting.when({ type: 'ConfirmPayment', paymentId: 'p', by: 'ada' })).toMatchObject({ code: 3 })
      expect(waiting.when({ type: 'DeclinePayment', paymentId: 'p', by: 'ada', comment: '' })).toMatchObject({ code: 3 })
      const confirmed = waiting.after({ type: 'ConfirmPayment', paymentId: 'p', by: 'bola' })
      expect(confirmed.payments['p']).toMatchObject({ stage: 'confirmed', assigns: 100 * USD })
    }
    expect(given(...issued(), { ...log(50 * USD), limit: 50 * USD }).state.payments['p']?.stage).toBe('confirmed')
  })

  it('that is declined, or was never logged, is not confirmed', () => {
    const declined = given(...issued(), log(101 * USD), { type: 'DeclinePayment', paymentId: 'p', by: 'bola', comment: 'No' })
    expect(declined.when({ type: 'ConfirmPayment', paymentId: 'p', by: 'bola' })).toMatchObject({ code: 134 })
    expect(declined.when({ type: 'ConfirmPayment', paymentId: 'q', by: 'bola' })).toMatchObject({ code: 131 })
  })

  it('of a paid, void or unissued invoice is refused with 134', () => {
    expect(given(DRAFT).when(log(1))).toMatchObject({ code: 134 })
    expect(given(...issued(), VOID).when(log(1))).toMatchObject({ code: 134 })
    expect(given(...issued(), log(100 * USD), APPLY).when(log(1, { payment_id: 'q' }))).toMatchObject({ code: 134 })
  })

  it('that is taken back leaves first what pays no invoice', () => {
    const overpaid = given(...issued(), log(130 * USD), { type: 'ConfirmPayment', paymentId: 'p', by: 'bola' }, APPLY)
    expect(paidOf(overpaid.state)).toBe(100 * USD)
    expect(paidOf(overpaid.after(takeBack(30 * USD)))).toBe(100 * USD)
    expect(paidOf(overpaid.after(takeBack(50 * USD)))).toBe(80 * USD)
    expect(given(...issued(), log(1), APPLY, takeBack(1)).when(takeBack(1))).toEqual([])
  })

  it('is taken back by every partial refund', () => {
    expect(paidOf(given(...issued(), log(100 * USD), APPLY, takeBack(40 * USD), takeBack(30 * USD, 's')).state)).toBe(30 * USD)
  })

  it('that comes again pays as far as the invoice is still due, and no more than was taken', () => {
    const paid = [...issued(), log(80 * USD), APPLY, takeBack(30 * USD)]
    const again: InvoiceCommand = { type: 'GiveBack', releaseId: 'r', given: 90 * USD, cause: 'refund_failed' }
    // Before the account has released the funds there is nothing to give back.
    expect(given(...paid).when(again)).toEqual([])
    const restored = given(...paid, { type: 'RecordRelease', releaseId: 'r' }, again)
    expect(restored.state.payments['p']).toMatchObject({ assigns: 30 * USD, applied: 50 * USD })
    const recorded = restored.after({ type: 'RecordRestoration', releaseId: 'r', assigned: 25 * USD })
    expect(recorded.payments['p']).toMatchObject({ assigns: 0, applied: 75 * USD })
    expect(restored.when(again)).toEqual([])
  })
})

describe('a void invoice', () => {
  it('needs a comment, declines what waits, and releases what was paid', () => {
    expect(given(...issued()).when({ ...VOID, comment: '' })).toMatchObject({ code: 1301 })
    const paid = given(...issued(), log(30 * USD), APPLY, log(200 * USD, { payment_id: 'q', reference: 'R-2' }))
    expect(paid.when(VOID)).toEqual(['InvoiceVoided', 'PaymentDeclined', 'PaymentReversed'])
    const state = paid.after(VOID)
    expect([paidOf(state), openOf(state), state.releases['release of p']?.amount]).toEqual([0, 0, 30 * USD])
  })

  it('is made once, and not while a payment is carried out or a credit note corrects it', () => {
    expect(given(...issued(), VOID).when(VOID)).toEqual([])
    expect(given(...issued(), log(1)).when(VOID)).toMatchObject({ code: 134 })
    expect(given(...issued(), credit(1)).when(VOID)).toMatchObject({ code: 134 })
    expect(given(DRAFT).when(VOID)).toMatchObject({ code: 134 })
  })

  it('frees its charges once', () => {
    const freed = given(...issued(), VOID, { type: 'NoteFreed' })
    expect(freed.state.freed).toBe(true)
    expect(freed.when({ type: 'NoteFreed' })).toEqual([])
    expect(given(...issued()).when({ type: 'NoteFreed' })).toEqual([])
  })
})

describe('a credit note', () => {
  it('pays what is still due, and never corrects more than was invoiced', () => {
    const half = given(...issued(), log(70 * USD), APPLY, credit(50 * USD))
    expect(half.state.credits['n']).toMatchObject({ amount: 50 * USD, assigns: 30 * USD, number: null })
    expect(half.when(credit(50 * USD, 'm'))).toEqual(['InvoiceCredited'])
    expect(half.when(credit(50 * USD + 1, 'm'))).toEqual({ code: 2, keys: ['moreThanInvoiced'] })
    expect(half.when(credit(0, 'm'))).toEqual({ code: 2, keys: ['positiveNumber'] })
    expect(half.when(credit(50 * USD))).toEqual([])
  })

  it('is linked once, with what the account assigned', () => {
    const link: InvoiceCommand = { type: 'LinkCredit', creditNoteId: 'n', number: 'W-2', assigned: 20 * USD }
    const linked = given(...issued(), credit(20 * USD), link)
    expect(linked.state.credits['n']).toMatchObject({ number: 'W-2', assigned: 20 * USD, assigns: 0 })
    expect(linked.when(link)).toEqual([])
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

it('is never paid, reserved or corrected by more than it asks for, whatever happens to it', () => {
  const reached = { paid: 0, corrected: 0, reversed: 0, voided: 0 }
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30, size: 'max' }), (commands) => {
      let { state } = given(...issued())
      for (const one of commands) {
        const decision = decide(one, state)
        if (decision.kind === 'events') state = decision.events.reduce((next, event) => evolve(next, event, META), state)
        expect(openOf(state)).toBeGreaterThanOrEqual(0)
        expect(paidOf(state)).toBeGreaterThanOrEqual(0)
        expect(paidOf(state)).toBeLessThanOrEqual(state.payable)
        expect(creditedOf(state)).toBeLessThanOrEqual(creditableOf(state))
        for (const { applied, taken, amount: all } of Object.values(state.payments)) {
          expect(applied).toBeGreaterThanOrEqual(0)
          expect(applied).toBeLessThanOrEqual(Math.max(0, all - taken))
        }
      }
      if (paidOf(state) > 0) reached.paid += 1
      if (creditedOf(state) > 0) reached.corrected += 1
      if (Object.keys(state.releases).length > 0) reached.reversed += 1
      if (state.stage === 'void') reached.voided += 1
    }),
    { numRuns: 300 },
  )
  for (const times of Object.values(reached)) expect(times).toBeGreaterThan(10)
})
