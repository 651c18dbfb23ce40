import { describe, it } from 'vitest'
import type { AccountEvent } from '#domain/account/account'
import { CARD_EVENTS } from '#domain/account/cards'
import { PAYMENT_EVENTS, type PaymentEvent } from '#domain/payment/payment'
import { commit, expectExamplesOf, given, minute } from '#test/support/given-events'
import { itKeepsTheLaws } from '#test/support/rebuild-laws'
import { payments } from './read-model.ts'

const STARTED: PaymentEvent = {
  type: 'PaymentStarted',
  data: {
    space_id: 'nile',
    whitelabel_id: 'dsp',
    amount: 50_000_000,
    currency: 'USD',
    card_id: 'visa',
    origin: 'refill',
    invoice_id: null,
  },
}
const SUCCEEDED: PaymentEvent = { type: 'PaymentSucceeded', data: { provider_id: 'pi_1' } }
const DECLINED: PaymentEvent = { type: 'PaymentFailed', data: { provider_id: 'pi_1', failure_code: 'card_declined' } }
const refund = (type: 'RefundReported' | 'RefundFailed', refund_id: string, amount: number): PaymentEvent => ({
  type,
  data: { refund_id, amount },
})
const disputed = (dispute_id: string, amount: number): PaymentEvent => ({ type: 'DisputeOpened', data: { dispute_id, amount } })
const closed = (dispute_id: string, won: boolean): PaymentEvent => ({ type: 'DisputeClosed', data: { dispute_id, won } })

/** One payment, each event of it in a commit of its own. */
const payment = (...events: readonly PaymentEvent[]) =>
  given(...[STARTED, ...events].map((event) => commit('payment-1', event))).project(payments)
const account = (...events: readonly AccountEvent[]) =>
  given(...events.map((event) => commit('account-nile', event))).project(payments)

describe('a payment', () => {
  it('shows who started it, when, with which card and how much', () =>
    payment().shows({
      payments: [
        {
          id: '1',
          space_id: 'nile',
          whitelabel_id: 'dsp',
          amount: 50_000_000,
          currency: 'USD',
          card_id: 'visa',
          origin: 'refill',
          invoice_id: null,
          status: 'processing',
          failure_code: null,
          refunded: 0,
          disputes: {},
          actor: 'ada',
          created_at: minute(0),
        },
      ],
    }))

  it.each<readonly [title: string, events: readonly PaymentEvent[], row: object]>([
    [
      'processing while the provider has it',
      [{ type: 'PaymentOpened', data: { provider_id: 'pi_1' } }],
      { status: 'processing' },
    ],
    [
      'waiting for the bank that asks the user to confirm it',
      [{ type: 'PaymentActionRequired', data: { provider_id: 'pi_1' } }],
      { status: 'requires_action' },
    ],
    ['succeeded once the provider has the money', [SUCCEEDED], { status: 'succeeded', failure_code: null }],
    ['failed with the reason of the provider', [DECLINED], { status: 'failed', failure_code: 'card_declined' }],
    ['succeeded without a reason after a failed attempt', [DECLINED, SUCCEEDED], { status: 'succeeded', failure_code: null }],
  ])('shows a payment as %s', (_, events, row) => payment(...events).shows({ payments: [row] }))

  it.each<readonly [title: string, events: readonly PaymentEvent[], row: object]>([
    ['shows a refunded payment with its amount', [refund('RefundReported', 'r1', 20_000_000)], { refunded: 20_000_000 }],
    [
      'adds up several refunds',
      [refund('RefundReported', 'r1', 20_000_000), refund('RefundReported', 'r2', 5_000_000)],
      { refunded: 25_000_000 },
    ],
    [
      'takes back a refund that did not reach the card',
      [
        refund('RefundReported', 'r1', 20_000_000),
        refund('RefundReported', 'r2', 5_000_000),
        refund('RefundFailed', 'r1', 20_000_000),
      ],
      { refunded: 5_000_000 },
    ],
    ['shows an open dispute with its amount', [disputed('d1', 7)], { disputes: { d1: { amount: 7, status: 'open' } } }],
    ['shows a won dispute', [disputed('d1', 7), closed('d1', true)], { disputes: { d1: { amount: 7, status: 'won' } } }],
    [
      'shows each dispute with its own result',
      [disputed('d1', 7), disputed('d2', 9), closed('d2', false)],
      { disputes: { d1: { amount: 7, status: 'open' }, d2: { amount: 9, status: 'lost' } } },
    ],
    ['ignores the end of a dispute that was never opened', [closed('d9', true)], { disputes: {} }],
  ])('a payment: %s', (_, events, row) => payment(SUCCEEDED, ...events).shows({ payments: [{ status: 'succeeded', ...row }] }))

  it('shows payments of several accounts beside each other', () => {
    const other = {
      ...STARTED,
      data: { ...STARTED.data, space_id: 'lagos', origin: 'invoice', invoice_id: 'i1' },
    } as PaymentEvent
    return given(commit('payment-1', STARTED), commit('payment-2', other, { actor: 'sade' }), commit('payment-1', SUCCEEDED))
      .project(payments)
      .shows({
        payments: [
          { id: '1', space_id: 'nile', status: 'succeeded', actor: 'ada' },
          { id: '2', space_id: 'lagos', status: 'processing', actor: 'sade', origin: 'invoice', invoice_id: 'i1' },
        ],
      })
  })
})

const added = (card_id: string): AccountEvent => ({ type: 'CardAdded', data: { card_id } })
const chosen = (card_id: string | null): AccountEvent => ({ type: 'DefaultCardChanged', data: { card_id } })
const removed = (card_id: string): AccountEvent => ({ type: 'CardRemoved', data: { card_id } })
const REFILL = { enabled: true, threshold: 10, amount: 500, monthly_limit: 2000 }

describe('an account', () => {
  it.each<readonly [title: string, events: readonly AccountEvent[], rows: readonly object[]]>([
    ['has a new card, which is not the default', [added('visa')], [{ card_id: 'visa', space_id: 'nile', is_default: false }]],
    [
      'has one default card, the last that was chosen',
      [added('amex'), added('visa'), chosen('amex'), chosen('visa')],
      [
        { card_id: 'amex', is_default: false },
        { card_id: 'visa', is_default: true },
      ],
    ],
    ['has no default card once none is chosen', [added('visa'), chosen('visa'), chosen(null)], [{ is_default: false }]],
    ['does not have a card that was removed', [added('amex'), added('visa'), removed('amex')], [{ card_id: 'visa' }]],
  ])('an account: %s', (_, events, rows) => account(...events).shows({ account_cards: rows }))

  it.each<readonly [title: string, events: readonly AccountEvent[], row: object]>([
    ['as its owner set it', [], { ...REFILL, stopped_code: null, stopped_at: null }],
    [
      'as stopped, with the reason and the time',
      [{ type: 'AutoRefillStopped', data: { payment_id: '1', failure_code: 'card_declined' } }],
      { ...REFILL, enabled: false, stopped_code: 'card_declined', stopped_at: minute(1) },
    ],
    [
      'as no longer stopped once its owner changes it',
      [
        { type: 'AutoRefillStopped', data: { payment_id: '1', failure_code: 'card_declined' } },
        { type: 'AutoRefillChanged', data: { ...REFILL, amount: 900 } },
      ],
      { ...REFILL, amount: 900, stopped_code: null, stopped_at: null },
    ],
  ])('shows the automatic refill %s', (_, events, row) =>
    account({ type: 'AutoRefillChanged', data: REFILL }, ...events).shows({ auto_refills: [{ space_id: 'nile', ...row }] }),
  )

  it('an account has no rows of payments for what else happens to it', () =>
    account({ type: 'AccountRenamed', data: { name: 'Nile' } }).shows({ payments: [], account_cards: [], auto_refills: [] }))
})

itKeepsTheLaws(payments)

it('every event that changes the rows of payments has an example', () =>
  expectExamplesOf(payments, Object.keys({ ...PAYMENT_EVENTS, ...CARD_EVENTS })))
