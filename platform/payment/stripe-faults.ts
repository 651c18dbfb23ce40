import { Stripe } from 'stripe'
import { GatewayBusy, GatewayFault, GatewayMissing, GatewayRefused } from '#commands/payment/payment-gateway'
import { failureCodeOf } from '#domain/payment/failures'
import { ConnectTimeout } from './connect-limit.ts'

type StripeError = InstanceType<typeof Stripe.errors.StripeError>
const ofStripe = (error: unknown): StripeError | null => (error instanceof Stripe.errors.StripeError ? error : null)

/** The bank declined the card. Nothing else is the bank's answer, whatever its HTTP status. */
export const isDecline = (error: unknown): boolean => ofStripe(error)?.rawType === 'card_error'

/** Stripe does not know what was asked for. */
export const isMissing = (error: unknown): boolean =>
  ofStripe(error)?.code === 'resource_missing' || ofStripe(error)?.statusCode === 404

/** The payment or setup has another state by now: its record says which. */
export const isPastStep = (error: unknown): boolean => (ofStripe(error)?.code ?? '').endsWith('_unexpected_state')

/** Whether Stripe may answer each repeat under the same idempotency key with this failure, for a day: it keeps what a request came to. */
export function isKept(error: unknown): boolean {
  const status = ofStripe(error)?.statusCode
  return status !== undefined && status !== 409 && status !== 429
}

const WHAT: Readonly<Record<string, GatewayMissing['what']>> = { customer: 'customer', intent: 'payment' }

/** The error of the port. Messages of Stripe may repeat parts of keys and tokens, so they are left behind. */
export function translated(error: unknown): Error {
  const known = [GatewayBusy, GatewayFault, GatewayMissing, GatewayRefused].some((kind) => error instanceof kind)
  if (known && error instanceof Error) return error
  const fault = ofStripe(error)
  if (fault === null || (error instanceof Stripe.errors.StripeConnectionError && !isSlow(error))) return unreachable(error)
  if (isSlow(fault)) return new GatewayFault('no answer in time', null)
  if (isDecline(fault)) return new GatewayRefused(failureCodeOf(fault.decline_code, fault.code))
  if (isMissing(fault)) return new GatewayMissing(WHAT[fault.param ?? ''] ?? 'card')
  // 409: a second request with the same key, or about the same object, while the first one runs.
  if (fault instanceof Stripe.errors.StripeRateLimitError || fault.statusCode === 409) return new GatewayBusy(retryAfterOf(fault))
  const code = fault.code ?? fault.rawType ?? fault.type
  return new GatewayFault(fault.param === undefined ? code : `${code} (${fault.param})`, fault.requestId ?? null)
}

/** Connected, and not answered within the limit: one request may be slow while the others are not. */
function isSlow(error: StripeError): boolean {
  if (!(error instanceof Stripe.errors.StripeConnectionError)) return false
  const cause: unknown = error.detail
  return !(cause instanceof ConnectTimeout) && cause instanceof Error && 'code' in cause && cause.code === 'ETIMEDOUT'
}

function unreachable(error: unknown): Error {
  const cause: unknown = error instanceof Stripe.errors.StripeError ? error.detail : error
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : 'no answer'
  return Object.assign(new Error('the provider of payments does not answer'), { code })
}

function retryAfterOf({ headers }: StripeError): number | null {
  const seconds = Number(headers?.['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}
