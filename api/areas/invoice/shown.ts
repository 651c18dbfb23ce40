import { openOf, statusOf, zoneOf, type InvoiceState, type PaymentState } from '#domain/invoice/state'
import { fromMicros } from '#domain/kit/money'
import { dayIn } from '#domain/kit/time-zone'
import type { InvoiceRow } from '#projections/invoice/queries'
import type { InvoicePayment, InvoiceSummary } from '#contract/invoices'
import { taxLineOf, type Amounts } from './files.ts'

/** An invoice as the list shows it. `amounts` are those of a draft now. */
export function summaryOf(row: InvoiceRow, now: string, amounts: Amounts): InvoiceSummary {
  const { state } = row
  const due = state.stage === 'issued' && state.kind === 'invoice' ? amounts.payable - row.paid : 0
  return {
    id: row.id,
    kind: state.kind,
    number: state.number,
    status: statusOf(state, now),
    space_id: state.space_id,
    space_name: row.space_name,
    currency: state.currency,
    charge_from_date: state.charge_from_date,
    charge_to_date: state.charge_to_date,
    dated_at: row.dated_at,
    due_at: state.due_at,
    total: fromMicros(amounts.payable),
    tax: taxLineOf(amounts),
    paid: fromMicros(row.paid),
    balance_due: fromMicros(due),
    credited: fromMicros(row.credited),
  }
}

/** Payments and credit notes of an invoice, newest first. `mayDecide` is asked for pending ones. */
export function paymentsOf(
  state: InvoiceState,
  nameOf: (id: string) => string,
  mayDecide: (payment: PaymentState) => boolean,
): InvoicePayment[] {
  const payments = Object.values(state.payments).map((one) => ({
    at: one.at,
    id: one.payment_id,
    type: one.source,
    stage: one.stage,
    date: one.paid_at,
    method: one.method,
    reference: one.source === 'card' ? '' : one.reference,
    comment: one.comment,
    amount: fromMicros(one.amount),
    applied: fromMicros(one.applied),
    by: nameOf(one.by),
    confirmed_by: one.confirmed_by === null ? null : nameOf(one.confirmed_by),
    may_decide: one.stage === 'pending' && mayDecide(one),
  }))
  const credits = Object.entries(state.credits).map(([id, one]) => ({
    at: one.at,
    id,
    type: 'credit_note' as const,
    stage: one.number === null ? ('confirmed' as const) : ('applied' as const),
    date: dayIn(one.at, zoneOf(state)),
    method: null,
    reference: one.number ?? '',
    comment: one.comment,
    amount: fromMicros(one.amount),
    applied: fromMicros(one.assigned),
    by: nameOf(one.by),
    confirmed_by: null,
    may_decide: false,
  }))
  return [...payments, ...credits].toSorted((a, b) => (a.at < b.at ? 1 : -1)).map(({ at: _, ...one }) => one)
}

/** Steps that a caller with the right may take now. */
export function possibleSteps(state: InvoiceState, mayWrite: boolean) {
  const issued = mayWrite && state.stage === 'issued' && state.kind === 'invoice'
  const credited = Object.keys(state.credits).length > 0
  return {
    edit: mayWrite && state.stage === 'draft',
    send: mayWrite && state.kind === 'invoice' && (state.stage === 'draft' || state.stage === 'issued'),
    pay: issued && openOf(state) > 0,
    void: issued && !credited,
    credit: issued,
  }
}
