import { INVOICE_STATUS, type InvoiceStatus } from './invoice-status.ts'
import { unreachable } from '#domain/kit/decision'
import type { Micros } from '../kit/money.ts'
import type { Zone } from '../kit/time-zone.ts'
import type { DraftTerms, InvoiceEvent, PaymentDetails } from './events.ts'
import { addedTax, NO_TAX, type TaxTerms } from './tax.ts'

/** State of an invoice by its events, without its lines, which no rule needs. */

export type PaymentState = PaymentDetails & {
  /** `pending` waits for a second person; `confirmed` is being carried out. */
  readonly stage: 'pending' | 'confirmed' | 'applied' | 'declined' | 'failed'
  /** User who recorded it, and when. */
  readonly by: string
  readonly at: string
  readonly confirmed_by: string | null
  /** Reserved while it is being carried out. */
  readonly assigns: Micros
  /** Amount that pays the invoice now. */
  readonly applied: Micros
  /** Amount that the payer got back. */
  readonly taken: Micros
}

export type ReleaseState = {
  readonly payment_id: string
  readonly amount: Micros
  readonly recorded: boolean
  /** Absent unless what was taken back came again: how much of it is to pay the invoice, and whether the account has assigned it. */
  readonly restored?: { readonly amount: Micros; readonly recorded: boolean }
}

export type CreditState = {
  readonly amount: Micros
  readonly assigns: Micros
  readonly assigned: Micros
  readonly comment: string
  readonly by: string
  readonly at: string
  /** Null until the credit note is issued. */
  readonly number: string | null
}

export type InvoiceStage = 'none' | 'draft' | 'deleted' | 'issuing' | 'issued' | 'void'

export type InvoiceState = DraftTerms &
  TaxTerms & {
    readonly kind: 'invoice' | 'credit_note'
    readonly stage: InvoiceStage
    readonly space_id: string
    readonly whitelabel_id: string
    readonly currency: string
    readonly offset_seconds: number
    /** Absent where the days have the fixed offset. */
    readonly time_zone?: string
    readonly number: string | null
    readonly issued_at: string | null
    readonly due_at: string | null
    readonly total: Micros
    readonly rounding: Micros
    readonly payable: Micros
    /** In what is to be paid. */
    readonly tax: Micros
    /** How often it was mailed. */
    readonly mails: number
    readonly comment: string
    /** Invoice of a credit note. */
    readonly invoice_id: string | null
    readonly invoice_number: string | null
    readonly payments: Readonly<Record<string, PaymentState>>
    readonly releases: Readonly<Record<string, ReleaseState>>
    readonly credits: Readonly<Record<string, CreditState>>
    /** True for a void invoice: its charges can be invoiced again. */
    readonly freed: boolean
  }

export const initial: InvoiceState = {
  kind: 'invoice',
  stage: 'none',
  space_id: '',
  whitelabel_id: '',
  currency: '',
  offset_seconds: 0,
  charge_from_date: '',
  charge_to_date: '',
  from: '',
  to: '',
  due_date: null,
  note: '',
  number: null,
  issued_at: null,
  due_at: null,
  total: 0,
  rounding: 0,
  payable: 0,
  ...NO_TAX,
  tax: 0,
  mails: 0,
  comment: '',
  invoice_id: null,
  invoice_number: null,
  payments: {},
  releases: {},
  credits: {},
  freed: false,
}

type Meta = { readonly at: string; readonly actor: string }

export function evolve(state: InvoiceState, event: InvoiceEvent, { at, actor }: Meta): InvoiceState {
  const payment = (id: string, change: (one: PaymentState) => Partial<PaymentState>): InvoiceState => {
    const one = state.payments[id]
    return one === undefined ? state : { ...state, payments: { ...state.payments, [id]: { ...one, ...change(one) } } }
  }
  switch (event.type) {
    case 'InvoiceDrafted':
      return { ...state, ...event.data, stage: 'draft' }
    case 'DraftChanged':
      return { ...state, ...event.data }
    case 'DraftDeleted':
      return { ...state, stage: 'deleted' }
    case 'InvoiceIssuing':
      return { ...state, ...event.data, stage: 'issuing' }
    case 'IssuingCancelled':
      return { ...state, stage: 'draft', issued_at: null, due_at: null, ...NO_TAX }
    case 'InvoiceIssued': {
      const { lines: _, ...issued } = event.data
      return { ...state, ...issued, stage: 'issued' }
    }
    case 'InvoiceMailed':
      return { ...state, mails: state.mails + 1 }
    case 'PaymentLogged': {
      const { by, assigns, ...details } = event.data
      const one: PaymentState = {
        ...details,
        stage: assigns === null ? 'pending' : 'confirmed',
        by,
        at,
        confirmed_by: null,
        assigns: assigns ?? 0,
        applied: 0,
        taken: 0,
      }
      return { ...state, payments: { ...state.payments, [details.payment_id]: one } }
    }
    case 'PaymentConfirmed':
      return payment(event.data.payment_id, () => ({
        stage: 'confirmed',
        confirmed_by: actor,
        assigns: event.data.assigns,
      }))
    case 'PaymentDeclined':
      return payment(event.data.payment_id, () => ({ stage: 'declined' }))
    case 'PaymentApplied':
      return payment(event.data.payment_id, () => ({ stage: 'applied', assigns: 0, applied: event.data.amount }))
    case 'InvoicePaymentFailed':
      return payment(event.data.payment_id, () => ({ stage: 'failed', assigns: 0 }))
    case 'PaymentReversed': {
      const { payment_id, release_id, amount, taken } = event.data
      const release = { payment_id, amount, recorded: amount === 0 }
      const credit = state.credits[payment_id]
      const next =
        credit === undefined
          ? payment(payment_id, (one) => ({ applied: one.applied - amount, taken: one.taken + taken }))
          : { ...state, credits: { ...state.credits, [payment_id]: { ...credit, assigned: credit.assigned - amount } } }
      return { ...next, releases: { ...state.releases, [release_id]: release } }
    }
    case 'PaymentRestored': {
      const { payment_id, release_id, amount, given } = event.data
      const next = payment(payment_id, (one) => ({ taken: one.taken - given, assigns: one.assigns + amount }))
      return withRelease(next, release_id, () => ({ restored: { amount, recorded: amount === 0 } }))
    }
    case 'RestorationRecorded': {
      const { release_id, amount } = event.data
      const release = state.releases[release_id]
      if (release?.restored === undefined) return state
      const reserved = release.restored.amount
      const next = payment(release.payment_id, (one) => ({ assigns: one.assigns - reserved, applied: one.applied + amount }))
      return withRelease(next, release_id, () => ({ restored: { amount, recorded: true } }))
    }
    case 'ReleaseRecorded': {
      const one = state.releases[event.data.release_id]
      if (one === undefined) return state
      return { ...state, releases: { ...state.releases, [event.data.release_id]: { ...one, recorded: true } } }
    }
    case 'InvoiceVoided':
      return { ...state, stage: 'void', comment: event.data.comment }
    case 'ChargesFreed':
      return { ...state, freed: true }
    case 'InvoiceCredited': {
      const { credit_note_id, ...credit } = event.data
      return { ...state, credits: { ...state.credits, [credit_note_id]: { ...credit, at, assigned: 0, number: null } } }
    }
    case 'CreditNoteLinked': {
      const { credit_note_id, number, assigned } = event.data
      const credit = state.credits[credit_note_id]
      if (credit === undefined) return state
      return { ...state, credits: { ...state.credits, [credit_note_id]: { ...credit, number, assigned, assigns: 0 } } }
    }
    case 'CreditNoteDocumented': {
      const { amount, ...document } = event.data
      return { ...state, ...document, kind: 'credit_note', stage: 'issued', total: amount, payable: amount }
    }
    default:
      return unreachable(event, state)
  }
}

function withRelease(state: InvoiceState, id: string, change: (one: ReleaseState) => Partial<ReleaseState>): InvoiceState {
  const one = state.releases[id]
  return one === undefined ? state : { ...state, releases: { ...state.releases, [id]: { ...one, ...change(one) } } }
}

// ── Figures ──

const sum = (amounts: readonly Micros[]): Micros => amounts.reduce((all, amount) => all + amount, 0)

/** Amount that pays the invoice: payments, and credit notes as far as they were assigned to it. */
export const paidOf = ({ payments, credits }: InvoiceState): Micros =>
  sum(Object.values(payments).map(({ applied }) => applied)) + sum(Object.values(credits).map(({ assigned }) => assigned))

/** Payments and credit notes that are being carried out. */
const reservedOf = ({ payments, credits }: InvoiceState): Micros =>
  sum(Object.values(payments).map(({ assigns }) => assigns)) + sum(Object.values(credits).map(({ assigns }) => assigns))

/** Amount that is still to be paid, without payments that are being carried out. */
export const openOf = (state: InvoiceState): Micros =>
  state.kind === 'credit_note' || state.stage !== 'issued' ? 0 : state.payable - paidOf(state) - reservedOf(state)

/** The zone of the invoice's days. */
export const zoneOf = ({ time_zone, offset_seconds }: InvoiceState): Zone => time_zone ?? offset_seconds

/** All that credit notes can correct: what was to be paid, or the spend with a tax that was added where rounding took of it. */
export const creditableOf = (state: InvoiceState): Micros => Math.max(state.payable, state.total + addedTax(state))

/** Sum of all credit notes. */
export const creditedOf = ({ credits }: InvoiceState): Micros => sum(Object.values(credits).map(({ amount }) => amount))

/** The status at this instant. A credit note is paid from the start: it asks for nothing. */
export function statusOf(state: InvoiceState, now: string): InvoiceStatus {
  if (state.stage === 'void') return INVOICE_STATUS.void
  if (state.stage !== 'issued') return INVOICE_STATUS.draft
  const paid = paidOf(state)
  if (state.kind === 'credit_note' || paid >= state.payable) return INVOICE_STATUS.paid
  if (state.due_at !== null && state.due_at < now) return INVOICE_STATUS.overdue
  return paid > 0 ? INVOICE_STATUS.partPaid : INVOICE_STATUS.sent
}

/** True while a step that was decided is not carried out yet: see `finishInvoice`. */
export const isUnfinished = ({ stage, freed, payments, releases, credits }: InvoiceState): boolean =>
  stage === 'issuing' ||
  (stage === 'void' && !freed) ||
  Object.values(payments).some((one) => one.stage === 'confirmed') ||
  Object.values(releases).some(({ recorded, restored }) => !recorded || restored?.recorded === false) ||
  Object.values(credits).some(({ number }) => number === null)
