import { type Decision, happened, rejected } from '#domain/kit/decision'
import { fault } from '../kit/faults.ts'
import { FIRST, type EventData, type EventSchemas } from '../kit/event-schema.ts'
import { compared, MOST_MICROS, negated, plus, type Micros, type Sum } from '../kit/money.ts'
import type { MovementType } from './movement-types.ts'

/**
 * Movements of the balance of an account, and which of its funds are assigned to invoices (decisions G-244). The balance is the
 * sum of all movements; assigning moves nothing, because an invoice documents spend that was already charged.
 */

/** How money arrived. Everything but `card` is recorded by hand. */
export const PAYMENT_METHODS = ['card', 'bank_transfer', 'cash', 'cheque', 'other'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

// ── Events ──

/** Charges for delivery. New ones are in the books of a month (`ledger.ts`); accounts of before have theirs in their own stream. */
export type SpendSettled = {
  readonly type: 'SpendSettled'
  readonly data: {
    /** Counts from 1 in each account. */
    readonly settlement: number
    readonly amount: Micros
    readonly charges: SettledCharges
    readonly campaigns: readonly { readonly campaign_id: string; readonly amount: Micros }[]
  }
}

/** Which charges a settlement gathered. */
export type SettledCharges = {
  readonly count: number
  /** Ids of the first and the last batch, in their order. */
  readonly first: string
  readonly last: string
  /** Hash of all charges, see `chargesHash`; null for a settlement of before, which named its batches one by one. */
  readonly sha256: string | null
}

/** Before: one id per batch. */
function namedByRange({ batches, ...data }: EventData): EventData {
  const ids = (batches as readonly string[]).toSorted()
  const charges: SettledCharges = { count: ids.length, first: ids[0] ?? '', last: ids.at(-1) ?? '', sha256: null }
  return { ...data, charges }
}

/** Amounts are positive, unless said otherwise. */
export type MovementEvent =
  /** `asked_by`: who asked for it, where a second person confirmed it. */
  | {
      readonly type: 'FundsCredited'
      readonly data: { readonly amount: Micros; readonly reason: string; readonly asked_by?: string }
    }
  /** A correction to the account's disadvantage: `amount` is negative. */
  | {
      readonly type: 'FundsCorrected'
      readonly data: { readonly amount: Micros; readonly reason: string; readonly asked_by?: string }
    }
  | SpendSettled
  | {
      readonly type: 'PaymentReceived'
      readonly data: {
        readonly payment_id: string
        readonly amount: Micros
        readonly method: PaymentMethod
        /** The invoice that the payment was made for; null for a refill. */
        readonly invoice_id: string | null
      }
    }
  | {
      readonly type: 'PaymentRefunded'
      readonly data: { readonly payment_id: string; readonly refund_id: string; readonly amount: Micros }
    }
  /** A refund failed at the bank of the card: its money came back. */
  | {
      readonly type: 'RefundReversed'
      readonly data: { readonly payment_id: string; readonly refund_id: string; readonly amount: Micros }
    }
  /** The bank took the money back until the dispute is decided. */
  | {
      readonly type: 'PaymentDisputed'
      readonly data: { readonly payment_id: string; readonly dispute_id: string; readonly amount: Micros }
    }
  | {
      readonly type: 'DisputeWon'
      readonly data: { readonly payment_id: string; readonly dispute_id: string; readonly amount: Micros }
    }
  | {
      readonly type: 'CreditNoteIssued'
      readonly data: { readonly invoice_id: string; readonly credit_note_id: string; readonly amount: Micros }
    }
  /** A tax that an invoice added to the spend. It is spent like it: no funds but those that pay the invoice pay for it. */
  | {
      readonly type: 'TaxCharged'
      readonly data: { readonly invoice_id: string; readonly amount: Micros }
    }
  /** The invoice became void, with its tax. */
  | {
      readonly type: 'TaxReversed'
      readonly data: { readonly invoice_id: string; readonly amount: Micros }
    }
  /** Funds of the account pay an invoice. The balance stays. */
  | {
      readonly type: 'FundsAssigned'
      readonly data: { readonly invoice_id: string; readonly assignment_id: string; readonly amount: Micros }
    }
  | {
      readonly type: 'FundsReleased'
      readonly data: { readonly invoice_id: string; readonly assignment_id: string; readonly amount: Micros }
    }

export const MOVEMENT_EVENTS: EventSchemas<MovementEvent> = {
  FundsCredited: FIRST,
  FundsCorrected: FIRST,
  SpendSettled: { version: 2, upcasters: { 1: namedByRange } },
  PaymentReceived: FIRST,
  PaymentRefunded: FIRST,
  RefundReversed: FIRST,
  PaymentDisputed: FIRST,
  DisputeWon: FIRST,
  CreditNoteIssued: FIRST,
  TaxCharged: FIRST,
  TaxReversed: FIRST,
  FundsAssigned: FIRST,
  FundsReleased: FIRST,
}

export const isMovementEvent = (event: { readonly type: string }): event is MovementEvent => event.type in MOVEMENT_EVENTS

/** Amount that an event adds to the balance; 0 where it moves none. */
export function movementOf({ type, data }: MovementEvent): Micros {
  switch (type) {
    case 'FundsCredited':
    case 'FundsCorrected':
    case 'PaymentReceived':
    case 'RefundReversed':
    case 'DisputeWon':
    case 'CreditNoteIssued':
    case 'TaxReversed':
      return data.amount
    case 'SpendSettled':
    case 'TaxCharged':
    case 'PaymentRefunded':
    case 'PaymentDisputed':
      return -data.amount
    case 'FundsAssigned':
    case 'FundsReleased':
      return 0
  }
}

/** Null for an event that moves no balance. */
export function movementType({ type, data }: MovementEvent): MovementType | null {
  switch (type) {
    case 'SpendSettled':
      return 'spend'
    case 'PaymentReceived':
      return data.method === 'card' && data.invoice_id === null ? 'refill' : 'payment'
    case 'FundsCredited':
      return 'credit'
    case 'FundsCorrected':
      return 'correction'
    case 'CreditNoteIssued':
      return 'credit_note'
    case 'TaxCharged':
      return 'tax'
    case 'TaxReversed':
      return 'tax_reversed'
    case 'PaymentRefunded':
      return 'refund'
    case 'RefundReversed':
      return 'refund_reversed'
    case 'PaymentDisputed':
      return 'dispute'
    case 'DisputeWon':
      return 'dispute_won'
    case 'FundsAssigned':
    case 'FundsReleased':
      return null
  }
}

// ── State ──

export type FundsState = {
  readonly opened: boolean
  /** All movements of the account's own stream: the spend in its books (`ledger.ts`) is to be taken from it. */
  readonly balance: Sum
  /** Number of the newest settlement of this stream; 0 for an account whose settlements are all in its books. */
  readonly settlements: number
  /** Settled spend of this stream; absent until its first settlement. */
  readonly settled?: Sum
  /** Taxes that invoices added to it; absent until the first. */
  readonly taxed?: Sum
  /** Funds that pay invoices; absent until the first assignment. */
  readonly assigned?: Sum
}

/** The balance: all movements of the account's own stream, less the spend in its books. */
export const balanceOf = ({ balance }: Pick<FundsState, 'balance'>, booked: Sum): Sum => plus(balance, negated(booked))

/** Funds received that pay no invoice yet. Negative after a refund or a dispute of funds that do. */
export const unassignedFunds = ({ balance, settled = 0, taxed = 0, assigned = 0 }: FundsState): Sum =>
  plus(balance, settled, taxed, negated(assigned))

export function evolveFunds<State extends FundsState>(state: State, event: MovementEvent): State {
  const moved = { ...state, balance: plus(state.balance, movementOf(event)) }
  switch (event.type) {
    case 'SpendSettled':
      return { ...moved, settlements: event.data.settlement, settled: plus(state.settled ?? 0, event.data.amount) }
    case 'TaxCharged':
      return { ...moved, taxed: plus(state.taxed ?? 0, event.data.amount) }
    case 'TaxReversed':
      return { ...moved, taxed: plus(state.taxed ?? 0, -event.data.amount) }
    case 'FundsAssigned':
      return { ...moved, assigned: plus(state.assigned ?? 0, event.data.amount) }
    case 'FundsReleased':
      return { ...moved, assigned: plus(state.assigned ?? 0, -event.data.amount) }
    case 'FundsCredited':
    case 'FundsCorrected':
    case 'PaymentReceived':
    case 'PaymentRefunded':
    case 'RefundReversed':
    case 'PaymentDisputed':
    case 'DisputeWon':
    case 'CreditNoteIssued':
      return moved
  }
}

// ── Commands ──

export type MovementCommand =
  | {
      readonly type: 'CreditFunds'
      readonly amount: Micros
      readonly reason: string
      /** The first of two persons. */
      readonly askedBy?: string
      /** Spend in the account's books; 0 when absent. */
      readonly booked?: Sum
    }
  /** Before money is asked for outside: records nothing. */
  | { readonly type: 'CheckRoom'; readonly amount: Micros; readonly booked?: Sum }
  | {
      readonly type: 'ReceivePayment'
      readonly paymentId: string
      readonly amount: Micros
      readonly method: PaymentMethod
      readonly invoiceId: string | null
      /** How much of it pays the invoice at once; 0 for none. The assignment has the id of the payment. */
      readonly assigned: Micros
    }
  | { readonly type: 'RefundPayment'; readonly paymentId: string; readonly refundId: string; readonly amount: Micros }
  | { readonly type: 'ReverseRefund'; readonly paymentId: string; readonly refundId: string; readonly amount: Micros }
  | { readonly type: 'DisputePayment'; readonly paymentId: string; readonly disputeId: string; readonly amount: Micros }
  | { readonly type: 'WinDispute'; readonly paymentId: string; readonly disputeId: string; readonly amount: Micros }
  | { readonly type: 'CreditInvoice'; readonly invoiceId: string; readonly creditNoteId: string; readonly amount: Micros }
  | { readonly type: 'ChargeTax'; readonly invoiceId: string; readonly amount: Micros }
  | { readonly type: 'ReverseTax'; readonly invoiceId: string; readonly amount: Micros }
  | { readonly type: 'AssignFunds'; readonly invoiceId: string; readonly assignmentId: string; readonly amount: Micros }
  | { readonly type: 'ReleaseFunds'; readonly invoiceId: string; readonly assignmentId: string; readonly amount: Micros }

const refusedAmount = (key: 'positiveNumber' | 'fundsShort' | 'fundsTooLarge' | 'balanceFull'): Decision<MovementEvent> =>
  rejected(2, [fault('amount', 2, key)])

/**
 * Refuses an account that was never opened (110), an amount that is not positive (2; a credit by hand may be negative, which
 * corrects), an assignment beyond the funds that pay no invoice (2), a credit by hand that takes the balance beyond 9·10^15 micros
 * either way (2), and to ask for money from half of that on (2). What happened has no bound: money that moved is recorded whatever
 * the sums are (fine print 69). Commands are recorded once by their command ids: the caller derives them from the payment, refund,
 * dispute or assignment.
 */
export function decideMovement(command: MovementCommand, state: FundsState): Decision<MovementEvent> {
  if (!state.opened) return rejected(110)
  if (command.type === 'CheckRoom') return hasRoom(command, state) ? happened() : refusedAmount('balanceFull')
  const { amount } = command
  if (!Number.isSafeInteger(amount) || amount === 0) return refusedAmount('positiveNumber')
  if (command.type === 'CreditFunds') {
    const { reason, askedBy, booked = 0 } = command
    const after = Number(plus(balanceOf(state, booked), amount))
    // Back towards 0 it may always go.
    if (Math.abs(after) > MOST_MICROS && Math.sign(after) === Math.sign(amount)) return refusedAmount('fundsTooLarge')
    const data = askedBy === undefined ? { amount, reason } : { amount, reason, asked_by: askedBy }
    return happened({ type: amount > 0 ? 'FundsCredited' : 'FundsCorrected', data })
  }
  if (amount < 0) return refusedAmount('positiveNumber')
  switch (command.type) {
    case 'ReceivePayment': {
      const { paymentId: payment_id, method, invoiceId: invoice_id, assigned } = command
      const received: MovementEvent = { type: 'PaymentReceived', data: { payment_id, amount, method, invoice_id } }
      if (invoice_id === null || assigned <= 0) return happened(received)
      return happened(received, {
        type: 'FundsAssigned',
        data: { invoice_id, assignment_id: payment_id, amount: Math.min(assigned, amount) },
      })
    }
    case 'RefundPayment':
      return happened({
        type: 'PaymentRefunded',
        data: { payment_id: command.paymentId, refund_id: command.refundId, amount },
      })
    case 'ReverseRefund':
      return happened({
        type: 'RefundReversed',
        data: { payment_id: command.paymentId, refund_id: command.refundId, amount },
      })
    case 'DisputePayment':
      return happened({
        type: 'PaymentDisputed',
        data: { payment_id: command.paymentId, dispute_id: command.disputeId, amount },
      })
    case 'WinDispute':
      return happened({ type: 'DisputeWon', data: { payment_id: command.paymentId, dispute_id: command.disputeId, amount } })
    case 'CreditInvoice':
      return happened({
        type: 'CreditNoteIssued',
        data: { invoice_id: command.invoiceId, credit_note_id: command.creditNoteId, amount },
      })
    case 'ChargeTax':
      return happened({ type: 'TaxCharged', data: { invoice_id: command.invoiceId, amount } })
    case 'ReverseTax':
      return happened({ type: 'TaxReversed', data: { invoice_id: command.invoiceId, amount } })
    case 'AssignFunds':
      return compared(amount, unassignedFunds(state)) > 0
        ? refusedAmount('fundsShort')
        : happened(assignment('FundsAssigned', command))
    case 'ReleaseFunds':
      return happened(assignment('FundsReleased', command))
  }
}

/** The other half of the bound is for what is under way, and for what comes back: refunds that fail, and disputes that are won. */
function hasRoom({ amount, booked = 0 }: Extract<MovementCommand, { readonly type: 'CheckRoom' }>, state: FundsState): boolean {
  const room = Number(plus(MOST_MICROS / 2, negated(balanceOf(state, booked))))
  return room > 0 && amount <= room
}

const assignment = (
  type: 'FundsAssigned' | 'FundsReleased',
  { invoiceId, assignmentId, amount }: Extract<MovementCommand, { readonly type: 'AssignFunds' | 'ReleaseFunds' }>,
): MovementEvent => ({ type, data: { invoice_id: invoiceId, assignment_id: assignmentId, amount } })
