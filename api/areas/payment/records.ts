import { CARD_BRANDS } from '#domain/payment/brands'
import { fromMicros } from '#domain/kit/money'
import type { Position } from '#eventstore/event-store'
import type { PaymentProvider, PaymentState } from '#domain/payment/payment'
import type { CardRow, PaymentRow } from '#projections/payment/queries'
import type { PaymentMethodRecord, RefillAnswer, RefillRow } from '#contract/payments'
import { EXPIRES_SOON_MS, expiryOf } from '#commands/payment/card-expiry'
import { receiptNumber } from '#domain/payment/receipt'

/** Failures that say something about the card itself, and not about one amount or one attempt. */
const OF_CARD = new Set(['card_declined', 'expired_card', 'incorrect_cvc', 'card_unknown', 'currency_not_supported'])

/** Stripe is one provider on the wire, in its test mode too: its keys say which. */
export const shownProvider = (provider: PaymentProvider): 'stripe' | 'test' => (provider === 'test' ? 'test' : 'stripe')

/** A card as on the wire. */
export function cardOut(card: CardRow, now: string): PaymentMethodRecord {
  const { last_status, last_failure } = card
  const left = expiryOf(card) - Date.parse(now)
  const hasFailed = last_status === 'failed' && last_failure !== null && OF_CARD.has(last_failure)
  return {
    id: card.id,
    provider: shownProvider(card.provider),
    brand: card.brand,
    brand_label: CARD_BRANDS[card.brand],
    last4: card.last4,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    holder_name: card.holder_name,
    country: card.country,
    funding: card.funding,
    is_default: card.is_default,
    created_at: card.created_at,
    last_used_at: card.last_used_at,
    status: left <= 0 ? 'expired' : hasFailed ? 'failed' : 'active',
    expires_soon: left > 0 && left <= EXPIRES_SOON_MS,
  }
}

/** A payment as on the wire, with the position that includes it. */
export const refillOut = (
  id: string,
  { status, failure_code, amount, currency }: PaymentState,
  clientToken: string | null,
  position: Position,
): RefillAnswer => ({
  id,
  status: status === 'none' ? 'processing' : status,
  failure_code,
  amount: fromMicros(amount),
  currency,
  client_token: clientToken,
  position: String(position),
})

function statusOf({ status, amount, refunded, disputed }: PaymentRow): RefillRow['status'] {
  if (status === 'none') return 'processing'
  if (status !== 'succeeded') return status
  if (disputed > 0) return 'disputed'
  return refunded === 0 ? 'succeeded' : refunded >= amount ? 'refunded' : 'partly_refunded'
}

/** A row of the history. `mailed` is the state of its receipt, where that is known. */
export const rowOut = (row: PaymentRow, mailed: 'queued' | 'failed' | undefined, actor: string): RefillRow => ({
  id: row.id,
  created_at: row.created_at,
  amount: fromMicros(row.amount),
  currency: row.currency,
  status: statusOf(row),
  failure_code: row.failure_code,
  origin: row.origin,
  refunded: fromMicros(row.refunded),
  disputed: fromMicros(row.disputed),
  card:
    row.brand === null || row.last4 === null ? null : { id: row.card_id, brand_label: CARD_BRANDS[row.brand], last4: row.last4 },
  receipt: row.status === 'succeeded' ? { number: receiptNumber(row.id), status: mailed ?? 'sent' } : null,
  actor,
})
