import type { Micros } from '../kit/money.ts'

/** Movements of the ledger that the invoices of an account follow, as read models name them. */

/** A refund or a dispute of a payment for an invoice. */
export type TakenBack = {
  readonly space_id: string
  readonly invoice_id: string
  readonly payment_id: string
  readonly document_id: string
  readonly amount: Micros
  readonly type: 'refund' | 'dispute'
}

/** A refund that failed, or a dispute that was won. */
export type GivenBack = {
  readonly space_id: string
  readonly invoice_id: string
  readonly document_id: string
  readonly amount: Micros
  readonly type: 'refund_reversed' | 'dispute_won'
}
