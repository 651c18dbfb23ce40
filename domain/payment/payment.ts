import { type Decision, happened, rejected, unreachable } from '#domain/kit/decision'
import { fault } from '../kit/faults.ts'
import { eventDecoder, FIRST, type EventSchemas } from '../kit/event-schema.ts'
import type { Micros } from '../kit/money.ts'
import type { FailureCode } from './failures.ts'

/**
 * A payment by card. The provider decides what happens to it; this stream records what the provider reported, and the ledger of the
 * account follows it. Reports come in any order and more than once, so every step goes forward only.
 */

export const PAYMENT_STREAMS = 'payment-'
export const paymentStream = (paymentId: string): string => `${PAYMENT_STREAMS}${paymentId}`

// ── Events ──

/** Provider whose references cards and customers are. Stripe's test mode and live mode do not know those of one another. */
export type PaymentProvider = 'stripe' | 'stripe_test' | 'test'

/** Origin of the payment: a user, the automatic refill of the account, or staff for an invoice. */
export const PAYMENT_ORIGINS = ['refill', 'auto_refill', 'invoice'] as const
export type PaymentOrigin = (typeof PAYMENT_ORIGINS)[number]

/** No user is there to confirm the payment with the bank. */
export const isOffSession = (origin: PaymentOrigin): boolean => origin !== 'refill'

export type PaymentEvent =
  | {
      readonly type: 'PaymentStarted'
      readonly data: {
        readonly space_id: string
        readonly whitelabel_id: string
        readonly amount: Micros
        readonly currency: string
        readonly card_id: string
        readonly origin: PaymentOrigin
        /** The invoice that the payment pays; null for a refill. */
        readonly invoice_id: string | null
      }
    }
  /** The provider has the payment, and took no money so far. Recorded before any is asked for. */
  | { readonly type: 'PaymentOpened'; readonly data: { readonly provider_id: string } }
  /** The bank asks the user to confirm the payment (3-D Secure). */
  | { readonly type: 'PaymentActionRequired'; readonly data: { readonly provider_id: string } }
  | { readonly type: 'PaymentSucceeded'; readonly data: { readonly provider_id: string } }
  | {
      readonly type: 'PaymentFailed'
      readonly data: { readonly provider_id: string | null; readonly failure_code: FailureCode }
    }
  /** The provider gave money back to the card. */
  | { readonly type: 'RefundReported'; readonly data: { readonly refund_id: string; readonly amount: Micros } }
  /** A refund did not reach the card: its money came back. */
  | { readonly type: 'RefundFailed'; readonly data: { readonly refund_id: string; readonly amount: Micros } }
  /** The cardholder disputed the payment: the bank took the amount back. */
  | { readonly type: 'DisputeOpened'; readonly data: { readonly dispute_id: string; readonly amount: Micros } }
  | { readonly type: 'DisputeClosed'; readonly data: { readonly dispute_id: string; readonly won: boolean } }

export const PAYMENT_EVENTS: EventSchemas<PaymentEvent> = {
  PaymentStarted: FIRST,
  PaymentOpened: FIRST,
  PaymentActionRequired: FIRST,
  PaymentSucceeded: FIRST,
  PaymentFailed: FIRST,
  RefundReported: FIRST,
  RefundFailed: FIRST,
  DisputeOpened: FIRST,
  DisputeClosed: FIRST,
}

export const decodePaymentEvent = eventDecoder<PaymentEvent>(PAYMENT_EVENTS)

// ── State ──

export type PaymentStatus = 'none' | 'processing' | 'requires_action' | 'failed' | 'succeeded'
export type RefundStatus = 'succeeded' | 'failed'
export type DisputeStatus = 'open' | 'won' | 'lost'

export type PaymentState = {
  readonly status: PaymentStatus
  readonly space_id: string
  readonly whitelabel_id: string
  readonly amount: Micros
  readonly currency: string
  readonly card_id: string
  readonly origin: PaymentOrigin
  readonly invoice_id: string | null
  readonly provider_id: string | null
  readonly failure_code: FailureCode | null
  /** Amounts by the provider's ids. */
  readonly refunds: Readonly<Record<string, Micros>>
  /** Refunds among them that failed later; absent until the first. */
  readonly failed_refunds?: readonly string[]
  readonly disputes: Readonly<Record<string, { readonly amount: Micros; readonly status: DisputeStatus }>>
}

export const initial: PaymentState = {
  status: 'none',
  space_id: '',
  whitelabel_id: '',
  amount: 0,
  currency: 'USD',
  card_id: '',
  origin: 'refill',
  invoice_id: null,
  provider_id: null,
  failure_code: null,
  refunds: {},
  disputes: {},
}

/** A payment whose result is unknown so far. */
export const isPending = ({ status }: Pick<PaymentState, 'status'>): boolean =>
  status === 'processing' || status === 'requires_action'

export function evolve(state: PaymentState, event: PaymentEvent): PaymentState {
  switch (event.type) {
    case 'PaymentStarted':
      return { ...state, ...event.data, status: 'processing' }
    case 'PaymentOpened':
      return { ...state, provider_id: event.data.provider_id }
    case 'PaymentActionRequired':
      return { ...state, status: 'requires_action', provider_id: event.data.provider_id }
    case 'PaymentSucceeded':
      return { ...state, status: 'succeeded', provider_id: event.data.provider_id, failure_code: null }
    case 'PaymentFailed':
      return { ...state, status: 'failed', ...event.data }
    case 'RefundReported':
      return { ...state, refunds: { ...state.refunds, [event.data.refund_id]: event.data.amount } }
    case 'RefundFailed':
      return { ...state, failed_refunds: [...(state.failed_refunds ?? []), event.data.refund_id] }
    case 'DisputeOpened': {
      const { dispute_id, amount } = event.data
      return { ...state, disputes: { ...state.disputes, [dispute_id]: { amount, status: 'open' } } }
    }
    case 'DisputeClosed': {
      const { dispute_id, won } = event.data
      const known = state.disputes[dispute_id]
      if (known === undefined) return state
      return { ...state, disputes: { ...state.disputes, [dispute_id]: { ...known, status: won ? 'won' : 'lost' } } }
    }
    default:
      return unreachable(event, state)
  }
}

// ── Commands ──

/** Report of a provider about a payment as of now. */
export type PaymentReport = {
  readonly providerId: string
  readonly status: 'unconfirmed' | 'processing' | 'requires_action' | 'succeeded' | 'failed'
  readonly failureCode: FailureCode | null
  /** Refunds whose money left, and those whose money came back because they failed. */
  readonly refunds: readonly { readonly id: string; readonly amount: Micros; readonly status: RefundStatus }[]
  readonly disputes: readonly { readonly id: string; readonly amount: Micros; readonly status: DisputeStatus }[]
}

export type PaymentCommand =
  | { readonly type: 'Start'; readonly payment: Extract<PaymentEvent, { type: 'PaymentStarted' }>['data'] }
  /** The first payment that was opened stays: another one takes no money. */
  | { readonly type: 'Open'; readonly providerId: string }
  | { readonly type: 'Report'; readonly report: PaymentReport }
  /** No money was asked for, and none will be. */
  | { readonly type: 'GiveUp'; readonly failureCode: FailureCode }
  /** Records nothing: the answer holds the state. */
  | { readonly type: 'Read' }

/**
 * Starting twice changes nothing. A report records what is new: a success is final, a failure is not, because money that arrived
 * later did arrive. Refunds and disputes follow a success. Refuses an amount that is not positive (2) and a payment that was never
 * started (131).
 */
export function decide(command: PaymentCommand, state: PaymentState): Decision<PaymentEvent> {
  switch (command.type) {
    case 'Start': {
      if (state.status !== 'none') return happened()
      const { amount } = command.payment
      if (!Number.isSafeInteger(amount) || amount <= 0) return rejected(2, [fault('amount', 2, 'positiveNumber')])
      return happened({ type: 'PaymentStarted', data: command.payment })
    }
    case 'Open':
      if (state.status === 'none') return rejected(131)
      if (!isPending(state) || state.provider_id !== null) return happened()
      return happened({ type: 'PaymentOpened', data: { provider_id: command.providerId } })
    case 'Report':
      if (state.status === 'none') return rejected(131)
      return happened(...newSteps(command.report, state), ...newMovements(command.report, state))
    case 'GiveUp':
      return isPending(state)
        ? happened({ type: 'PaymentFailed', data: { provider_id: state.provider_id, failure_code: command.failureCode } })
        : happened()
    case 'Read':
      return happened()
    default:
      return unreachable(command, happened())
  }
}

function newSteps({ status, providerId: provider_id, failureCode }: PaymentReport, state: PaymentState): readonly PaymentEvent[] {
  if (status === 'succeeded') return state.status === 'succeeded' ? [] : [{ type: 'PaymentSucceeded', data: { provider_id } }]
  if (status === 'failed' && isPending(state))
    return [{ type: 'PaymentFailed', data: { provider_id, failure_code: failureCode ?? 'card_declined' } }]
  if (status === 'requires_action' && state.status === 'processing')
    return [{ type: 'PaymentActionRequired', data: { provider_id } }]
  return []
}

function newMovements({ status, refunds, disputes }: PaymentReport, state: PaymentState): readonly PaymentEvent[] {
  if (status !== 'succeeded') return []
  return [
    ...refunds.filter(({ amount }) => amount > 0).flatMap((refund) => newOfRefund(refund, state)),
    ...disputes.filter(({ amount }) => amount > 0).flatMap((dispute) => newOfDispute(dispute, state)),
  ]
}

/** A refund that failed before it was known moved nothing. */
function newOfRefund(
  { id: refund_id, amount, status }: PaymentReport['refunds'][number],
  state: PaymentState,
): readonly PaymentEvent[] {
  const known = Object.hasOwn(state.refunds, refund_id)
  if (status === 'succeeded') return known ? [] : [{ type: 'RefundReported', data: { refund_id, amount } }]
  if (!known || state.failed_refunds?.includes(refund_id) === true) return []
  return [{ type: 'RefundFailed', data: { refund_id, amount: state.refunds[refund_id] ?? amount } }]
}

function newOfDispute(
  { id, amount, status }: PaymentReport['disputes'][number],
  { disputes }: PaymentState,
): readonly PaymentEvent[] {
  const known = Object.hasOwn(disputes, id) ? disputes[id] : undefined
  const opened: PaymentEvent[] = known === undefined ? [{ type: 'DisputeOpened', data: { dispute_id: id, amount } }] : []
  const closes = status !== 'open' && (known?.status ?? 'open') === 'open'
  return closes ? [...opened, { type: 'DisputeClosed', data: { dispute_id: id, won: status === 'won' } }] : opened
}

// ── The ledger ──

/** A movement that the payment causes in the ledger of its account; each is recorded once, by its parts. */
export type PaymentMovement = {
  readonly type: 'received' | 'refunded' | 'refund_failed' | 'disputed' | 'won'
  /** Id of the payment, refund or dispute. */
  readonly id: string
  readonly amount: Micros
}

/** Every movement of a payment so far, in an order that the ledger can record. */
export function movementsOf(
  paymentId: string,
  { status, amount, refunds, failed_refunds = [], disputes }: PaymentState,
): readonly PaymentMovement[] {
  if (status !== 'succeeded') return []
  return [
    { type: 'received', id: paymentId, amount },
    ...Object.entries(refunds).map(([id, refunded]): PaymentMovement => ({ type: 'refunded', id, amount: refunded })),
    ...failed_refunds.map((id): PaymentMovement => ({ type: 'refund_failed', id, amount: refunds[id] ?? 0 })),
    ...Object.entries(disputes).flatMap(([id, { amount: disputed, status: of }]): readonly PaymentMovement[] => [
      { type: 'disputed', id, amount: disputed },
      ...(of === 'won' ? [{ type: 'won', id, amount: disputed } as const] : []),
    ]),
  ]
}
