import { type Decision, happened, rejected, unreachable } from '#domain/kit/decision'
import { fault } from '../kit/faults.ts'
import { PAYMENT_METHODS } from '../account/movements.ts'
import type { Micros } from '../kit/money.ts'
import { sumsOf } from './amounts.ts'
import { storedLine, type DraftTerms, type InvoiceEvent, type InvoiceLine, type PaymentDetails } from './events.ts'
import { creditableOf, creditedOf, openOf, type InvoiceState, type PaymentState } from './state.ts'
import type { TaxTerms } from './tax.ts'

/** Longest text of a note, comment or reference. */
export const INVOICE_TEXT = 1000

// ── Commands ──

export type InvoiceCommand =
  | { readonly type: 'Draft'; readonly draft: Extract<InvoiceEvent, { readonly type: 'InvoiceDrafted' }>['data'] }
  | { readonly type: 'ChangeDraft'; readonly terms: DraftTerms }
  | { readonly type: 'DeleteDraft' }
  | { readonly type: 'StartIssuing'; readonly issuedAt: string; readonly dueAt: string; readonly tax: TaxTerms }
  | { readonly type: 'CancelIssuing' }
  | { readonly type: 'Issue'; readonly number: string; readonly lines: readonly InvoiceLine[] }
  | { readonly type: 'NoteMail'; readonly recipients: number }
  | {
      readonly type: 'LogPayment'
      readonly payment: PaymentDetails
      readonly by: string
      /** Amount that the user may still record alone today: above it a second person confirms; null for any amount. */
      readonly limit: Micros | null
      /** Records a payment that looks like one that is there already. Needs a comment. */
      readonly force: boolean
      /** Another invoice of the account has the same reference, amount and day. */
      readonly known: boolean
    }
  | { readonly type: 'ConfirmPayment'; readonly paymentId: string; readonly by: string }
  | { readonly type: 'DeclinePayment'; readonly paymentId: string; readonly by: string; readonly comment: string }
  | { readonly type: 'ApplyPayment'; readonly paymentId: string }
  | { readonly type: 'FailPayment'; readonly paymentId: string; readonly code: number }
  | {
      readonly type: 'TakeBack'
      readonly paymentId: string
      readonly releaseId: string
      readonly taken: Micros
      readonly cause: 'refund' | 'dispute'
    }
  | {
      readonly type: 'GiveBack'
      /** Id of the refund or dispute that was taken back. */
      readonly releaseId: string
      readonly given: Micros
      readonly cause: 'refund_failed' | 'dispute_won'
    }
  /** `assigned`: what the account could assign to the invoice. */
  | { readonly type: 'RecordRestoration'; readonly releaseId: string; readonly assigned: Micros }
  | { readonly type: 'RecordRelease'; readonly releaseId: string }
  | { readonly type: 'Void'; readonly comment: string; readonly releaseIdOf: (paymentId: string) => string }
  | { readonly type: 'NoteFreed' }
  | {
      readonly type: 'Credit'
      readonly creditNoteId: string
      readonly amount: Micros
      readonly comment: string
      readonly by: string
    }
  | { readonly type: 'LinkCredit'; readonly creditNoteId: string; readonly number: string; readonly assigned: Micros }
  | {
      readonly type: 'Document'
      readonly document: Extract<InvoiceEvent, { readonly type: 'CreditNoteDocumented' }>['data']
    }
  /** Records nothing: the answer holds the state. */
  | { readonly type: 'Read' }

/**
 * Refuses an invoice that does not exist (131), a step that its status forbids (134), input that cannot be used (2, 1301 without
 * a comment), and a confirmation by the user who recorded the payment (3). Steps that are already taken record nothing.
 */
export function decide(command: InvoiceCommand, state: InvoiceState): Decision<InvoiceEvent> {
  const { stage } = state
  if (command.type === 'Draft') return stage === 'none' ? happened({ type: 'InvoiceDrafted', data: command.draft }) : happened()
  if (command.type === 'Document')
    return stage === 'none' ? happened({ type: 'CreditNoteDocumented', data: command.document }) : happened()
  if (stage === 'none' || stage === 'deleted') return rejected(131)
  switch (command.type) {
    case 'Read':
      return happened()
    case 'ChangeDraft':
      if (stage !== 'draft') return rejected(134)
      return sameTerms(state, command.terms) ? happened() : happened({ type: 'DraftChanged', data: command.terms })
    case 'DeleteDraft':
      return stage === 'draft' ? happened({ type: 'DraftDeleted', data: {} }) : rejected(134)
    case 'StartIssuing':
      if (stage === 'issuing') return happened()
      if (stage !== 'draft') return rejected(134)
      return happened({ type: 'InvoiceIssuing', data: { issued_at: command.issuedAt, due_at: command.dueAt, ...command.tax } })
    case 'CancelIssuing':
      return stage === 'issuing' ? happened({ type: 'IssuingCancelled', data: {} }) : happened()
    case 'Issue':
      return stage === 'issuing' ? issue(command, state) : happened()
    case 'NoteMail':
      if (stage !== 'issued') return rejected(134)
      return happened({ type: 'InvoiceMailed', data: { recipients: command.recipients } })
    case 'LogPayment':
      return logPayment(command, state)
    case 'ConfirmPayment':
    case 'DeclinePayment':
      return decidePending(command, state)
    case 'ApplyPayment': {
      const payment = state.payments[command.paymentId]
      if (payment?.stage !== 'confirmed') return happened()
      return happened({ type: 'PaymentApplied', data: { payment_id: command.paymentId, amount: payment.assigns } })
    }
    case 'FailPayment':
      if (state.payments[command.paymentId]?.stage !== 'confirmed') return happened()
      return happened({ type: 'InvoicePaymentFailed', data: { payment_id: command.paymentId, code: command.code } })
    case 'TakeBack':
      return takeBack(command, state)
    case 'GiveBack':
      return giveBack(command, state)
    case 'RecordRestoration':
      if (state.releases[command.releaseId]?.restored?.recorded !== false) return happened()
      return happened({
        type: 'RestorationRecorded',
        data: { release_id: command.releaseId, amount: command.assigned },
      })
    case 'RecordRelease':
      if (state.releases[command.releaseId]?.recorded !== false) return happened()
      return happened({ type: 'ReleaseRecorded', data: { release_id: command.releaseId } })
    case 'Void':
      return voidInvoice(command, state)
    case 'NoteFreed':
      return stage === 'void' && !state.freed ? happened({ type: 'ChargesFreed', data: {} }) : happened()
    case 'Credit':
      return credit(command, state)
    case 'LinkCredit': {
      const { creditNoteId: credit_note_id, number, assigned } = command
      if (state.credits[credit_note_id]?.number !== null) return happened()
      return happened({ type: 'CreditNoteLinked', data: { credit_note_id, number, assigned } })
    }
    default:
      return unreachable(command, happened())
  }
}

type Of<Type extends InvoiceCommand['type']> = Extract<InvoiceCommand, { readonly type: Type }>

const TERMS = ['charge_from_date', 'charge_to_date', 'from', 'to', 'due_date', 'note'] as const
const sameTerms = (state: DraftTerms, terms: DraftTerms): boolean => TERMS.every((term) => state[term] === terms[term])

function issue({ number, lines }: Of<'Issue'>, state: InvoiceState): Decision<InvoiceEvent> {
  const { issued_at, due_at, currency, tax_mode, tax_rate } = state
  const total = lines.reduce((all, { amount }) => all + amount, 0)
  const sums = sumsOf(total, state, currency)
  const data = {
    number,
    issued_at: issued_at ?? '',
    due_at: due_at ?? '',
    lines: lines.map(storedLine),
    tax_mode,
    tax_rate,
    ...sums,
  }
  return happened({ type: 'InvoiceIssued', data })
}

/** Whether a payment was recorded twice by mistake. */
export const isRepeated = (
  one: Pick<PaymentDetails, 'reference' | 'amount' | 'paid_at'> & { readonly stage: string },
  other: Pick<PaymentDetails, 'reference' | 'amount' | 'paid_at'>,
): boolean =>
  one.stage !== 'declined' &&
  one.stage !== 'failed' &&
  other.reference !== '' &&
  one.reference === other.reference &&
  one.amount === other.amount &&
  one.paid_at === other.paid_at

function logPayment({ payment, by, limit, force, known }: Of<'LogPayment'>, state: InvoiceState): Decision<InvoiceEvent> {
  const { payments } = state
  if (payments[payment.payment_id] !== undefined) return happened()
  if (state.stage !== 'issued' || state.kind !== 'invoice') return rejected(134)
  const open = openOf(state)
  if (open <= 0) return rejected(134)
  const { amount, method, source, comment, reference } = payment
  const repeated = known || Object.values(payments).some((one) => isRepeated(one, payment))
  const faults = [
    ...(Number.isSafeInteger(amount) && amount > 0 ? [] : [fault('amount', 2, 'positiveNumber')]),
    ...(source === 'logged' && (method === null || method === 'card' || !PAYMENT_METHODS.includes(method))
      ? [fault('method', 2, 'notAllowed')]
      : []),
    ...(source !== 'logged' && amount > open ? [fault('amount', 2, 'moreThanDue')] : []),
    ...(reference.length > INVOICE_TEXT ? [fault('reference', 2, 'maxLength', { max: INVOICE_TEXT })] : []),
    ...(comment.length > INVOICE_TEXT ? [fault('comment', 2, 'maxLength', { max: INVOICE_TEXT })] : []),
    ...(repeated && !force ? [fault('reference', 2, 'paymentRepeated')] : []),
  ]
  if (faults.length > 0) return rejected(2, faults)
  if (repeated && comment === '') return rejected(1301, [fault('comment', 1301, 'required')])
  // More than is due would become funds of the account: never by one person.
  const waits = amount > open || (limit !== null && amount > limit)
  const assigns = waits ? null : Math.min(open, amount)
  return happened({ type: 'PaymentLogged', data: { ...payment, by, assigns } })
}

function decidePending(command: Of<'ConfirmPayment'> | Of<'DeclinePayment'>, state: InvoiceState): Decision<InvoiceEvent> {
  const payment = state.payments[command.paymentId]
  if (payment === undefined) return rejected(131)
  if (payment.by === command.by) return rejected(3)
  if (payment.stage !== 'pending') return rejected(134)
  const { paymentId: payment_id } = command
  if (command.type === 'DeclinePayment')
    return happened({ type: 'PaymentDeclined', data: { payment_id, comment: command.comment } })
  const open = openOf(state)
  if (open <= 0 || (payment.source !== 'logged' && payment.amount > open)) return rejected(134)
  return happened({ type: 'PaymentConfirmed', data: { payment_id, assigns: Math.min(open, payment.amount) } })
}

/** The part of a payment that pays no invoice goes back first. */
function takeBack({ paymentId: payment_id, releaseId: release_id, taken, cause }: Of<'TakeBack'>, state: InvoiceState) {
  const payment = state.payments[payment_id]
  if (payment?.stage !== 'applied' || state.releases[release_id] !== undefined) return happened()
  const left = Math.max(0, payment.amount - payment.taken - taken)
  const amount = Math.max(0, payment.applied - left)
  return happened({ type: 'PaymentReversed', data: { payment_id, release_id, amount, cause, taken } })
}

/** Money that came again pays the invoice as far as it is still due, and no more than was taken from it. */
function giveBack({ releaseId: release_id, given, cause }: Of<'GiveBack'>, state: InvoiceState): Decision<InvoiceEvent> {
  const release = state.releases[release_id]
  if (release === undefined || !release.recorded || release.restored !== undefined) return happened()
  const amount = Math.max(0, Math.min(release.amount, given, openOf(state)))
  return happened({ type: 'PaymentRestored', data: { payment_id: release.payment_id, release_id, amount, cause, given } })
}

const isOpen = ({ stage }: PaymentState): boolean => stage === 'pending'

function voidInvoice({ comment, releaseIdOf }: Of<'Void'>, state: InvoiceState): Decision<InvoiceEvent> {
  if (state.stage === 'void') return happened()
  const underWay = Object.values(state.payments).some(({ stage }) => stage === 'confirmed')
  // A credit note is a correction of this invoice: without it, the credit note would correct nothing.
  const corrected = Object.keys(state.credits).length > 0
  if (state.stage !== 'issued' || state.kind !== 'invoice' || underWay || corrected) return rejected(134)
  const refusal = textRefusal(comment)
  if (refusal !== null) return refusal
  const all = Object.entries(state.payments)
  return happened(
    { type: 'InvoiceVoided', data: { comment } },
    ...all
      .filter(([, one]) => isOpen(one))
      .map(([payment_id]) => ({ type: 'PaymentDeclined', data: { payment_id, comment } }) as const),
    ...all
      .filter(([, { applied }]) => applied > 0)
      .map(([payment_id, { applied: amount }]) => {
        const release_id = releaseIdOf(payment_id)
        return { type: 'PaymentReversed', data: { payment_id, release_id, amount, cause: 'void', taken: 0 } } as const
      }),
  )
}

function credit(
  { creditNoteId: credit_note_id, amount, comment, by }: Of<'Credit'>,
  state: InvoiceState,
): Decision<InvoiceEvent> {
  if (state.credits[credit_note_id] !== undefined) return happened()
  if (state.stage !== 'issued' || state.kind !== 'invoice') return rejected(134)
  const refusal = textRefusal(comment)
  if (refusal !== null) return refusal
  if (!Number.isSafeInteger(amount) || amount <= 0) return rejected(2, [fault('amount', 2, 'positiveNumber')])
  if (amount > creditableOf(state) - creditedOf(state)) return rejected(2, [fault('amount', 2, 'moreThanInvoiced')])
  const assigns = Math.max(0, Math.min(amount, openOf(state)))
  return happened({ type: 'InvoiceCredited', data: { credit_note_id, amount, assigns, comment, by } })
}

function textRefusal(comment: string): Decision<InvoiceEvent> | null {
  if (comment === '') return rejected(1301, [fault('comment', 1301, 'required')])
  return comment.length > INVOICE_TEXT ? rejected(2, [fault('comment', 2, 'maxLength', { max: INVOICE_TEXT })]) : null
}
