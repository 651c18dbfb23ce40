import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Stripe } from 'stripe'
import {
  GatewayBusy,
  GatewayRefused,
  type GatewayCard,
  type GatewayEvent,
  type GatewayPayment,
  type PaymentGateway,
} from '../../commands/payment/payment-gateway.ts'
import { fromMinor, toMinor } from '../../domain/payment/amounts.ts'
import { cardBrandOf } from '../../domain/payment/brands.ts'
import { failureCodeOf } from '../../domain/payment/failures.ts'
import type { DisputeStatus } from '../../domain/payment/payment.ts'
import { withConnectLimit } from './connect-limit.ts'

/** The version of Stripe's API that this code was written for. Without it, the account's own version would apply. */
export const STRIPE_API_VERSION = '2026-10-28.endive'

/** A host that does not accept a connection is away, and so is one that does not answer, milliseconds. */
const CONNECT_MS = 3000
const ANSWER_MS = 8000
/** Age of a webhook's signature, seconds. */
const TOLERANCE = 300
/** Stripe cancels an unused setup after a day. */
const SETUP_HOURS = 24
/** Cards confirm on the page itself: no other page of Placard is needed. */
const CARDS_ONLY = {
  allowed_payment_method_types: ['card'],
  automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
} satisfies Pick<
  Stripe.SetupIntentCreateParams & Stripe.PaymentIntentCreateParams,
  'allowed_payment_method_types' | 'automatic_payment_methods'
>
/** Refunds or disputes of one payment. */
const MOST = 100

export type StripeOptions = {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly publishableKey: string | null
  /** `https://api.stripe.com`, or a stand-in. */
  readonly apiUrl: string
}

/** Payments by card with Stripe: its official SDK, with pinned API version. */
export function createStripeGateway({ secretKey, webhookSecret, publishableKey, apiUrl }: StripeOptions): PaymentGateway {
  const url = new URL(apiUrl)
  const isPlain = url.protocol === 'http:'
  const agent = withConnectLimit(isPlain ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true }), CONNECT_MS)
  const stripe = new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    host: url.hostname,
    port: url.port === '' ? (isPlain ? 80 : 443) : Number(url.port),
    protocol: isPlain ? 'http' : 'https',
    timeout: ANSWER_MS,
    // Callers repeat with the same key; a repeat here would only make an absence take longer.
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createNodeHttpClient(agent),
  })

  async function read(providerId: string): Promise<GatewayPayment | null> {
    const intent = await unlessMissing(() => stripe.paymentIntents.retrieve(providerId, { expand: ['latest_charge'] }))
    return intent === null ? null : paymentOf(intent)
  }

  async function readExisting(providerId: string): Promise<GatewayPayment> {
    const payment = await read(providerId)
    if (payment === null) throw new GatewayRefused('processing_error')
    return payment
  }

  async function paymentOf(intent: Stripe.PaymentIntent): Promise<GatewayPayment> {
    const { id, latest_charge: charge, currency, metadata, last_payment_error: failure } = intent
    const money = (minor: number) => fromMinor(minor, currency.toUpperCase())
    const known = typeof charge === 'object' ? charge : null
    const [refunds, disputes] = await Promise.all([
      known !== null && known.amount_refunded > 0
        ? answered(() => stripe.refunds.list({ payment_intent: id, limit: MOST }))
        : null,
      known?.disputed === true ? answered(() => stripe.disputes.list({ payment_intent: id, limit: MOST })) : null,
    ])
    const status = statusOf(intent)
    return {
      providerId: id,
      paymentId: metadata['payment_id'] ?? null,
      status,
      failureCode:
        status !== 'failed'
          ? null
          : intent.status === 'canceled'
            ? 'canceled'
            : failureCodeOf(failure?.decline_code, failure?.code),
      clientToken: intent.status === 'requires_action' ? intent.client_secret : null,
      refunds: (refunds?.data ?? [])
        .filter((refund) => refund.status === 'succeeded')
        .map((refund) => ({ id: refund.id, amount: money(refund.amount) })),
      disputes: (disputes?.data ?? []).flatMap((dispute) => {
        const of = DISPUTES[dispute.status]
        return of === undefined ? [] : [{ id: dispute.id, amount: money(dispute.amount), status: of }]
      }),
    }
  }

  return {
    provider: 'stripe',
    publishableKey,
    ping: () => answered(() => stripe.balance.retrieve()),

    async createCustomer(spaceId) {
      // No name and no address: Stripe needs neither.
      const params = { metadata: { space_id: spaceId } }
      return (await answered(() => stripe.customers.create(params, { idempotencyKey: `customer-${spaceId}` }))).id
    },

    async startSetup(customer) {
      const setup = await answered(() => stripe.setupIntents.create({ customer, usage: 'off_session', ...CARDS_ONLY }))
      if (setup.client_secret === null) throw new GatewayRefused('processing_error')
      const expiresAt = new Date((setup.created + SETUP_HOURS * 3600) * 1000).toISOString()
      return { setupId: setup.id, clientToken: setup.client_secret, expiresAt }
    },

    async confirmedCard({ setupId, methodId, customerId }) {
      const setup = await unlessMissing(() => stripe.setupIntents.retrieve(setupId, { expand: ['payment_method'] }))
      const method = setup?.payment_method
      if (setup?.status !== 'succeeded' || idOf(setup.customer) !== customerId) return null
      return typeof method === 'object' && method?.id === methodId ? cardOf(method) : null
    },

    async removeCard(methodId) {
      await unlessMissing(() => stripe.paymentMethods.detach(methodId))
    },

    async open({ paymentId, customerId: customer, methodId: payment_method, amount, currency }) {
      const minor = toMinor(amount, currency)
      if (minor === null) throw new GatewayRefused('processing_error')
      const params = {
        amount: minor,
        currency: currency.toLowerCase(),
        customer,
        payment_method,
        ...CARDS_ONLY,
        metadata: { payment_id: paymentId },
      }
      const intent = await answered(() => stripe.paymentIntents.create(params, { idempotencyKey: `payment-${paymentId}` }))
      return { providerId: intent.id }
    },

    async confirm({ providerId, paymentId, methodId: payment_method, offSession }) {
      const params = { payment_method, expand: ['latest_charge'], ...(offSession ? { off_session: true } : {}) }
      try {
        const options = { idempotencyKey: `payment-${paymentId}-confirm` }
        return await paymentOf(await stripe.paymentIntents.confirm(providerId, params, options))
      } catch (error) {
        // A declined card, or a payment that has another state by now: Stripe's own record says which.
        if (!isRefusal(error)) throw translated(error)
        return readExisting(providerId)
      }
    },

    read,

    async cancel(providerId) {
      try {
        return await paymentOf(await stripe.paymentIntents.cancel(providerId, { expand: ['latest_charge'] }))
      } catch (error) {
        if (!isRefusal(error)) throw translated(error)
        return readExisting(providerId)
      }
    },

    readEvent(body, signature) {
      try {
        return eventOf(stripe.webhooks.constructEvent(Buffer.from(body), signature, webhookSecret, TOLERANCE))
      } catch {
        return null
      }
    },
  }
}

function statusOf({ status, last_payment_error: failure }: Stripe.PaymentIntent): GatewayPayment['status'] {
  switch (status) {
    case 'succeeded':
      return 'succeeded'
    case 'requires_action':
      return 'requires_action'
    case 'canceled':
      return 'failed'
    case 'requires_payment_method':
      return failure === null ? 'unconfirmed' : 'failed'
    case 'requires_confirmation':
      return 'unconfirmed'
    case 'processing':
    case 'requires_capture':
    default:
      return 'processing'
  }
}

/** Inquiries move no money: they are not here. */
const DISPUTES: Readonly<Record<string, DisputeStatus>> = {
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
}

function cardOf({ id, card, billing_details: billing }: Stripe.PaymentMethod): GatewayCard | null {
  if (card === undefined) return null
  return {
    methodId: id,
    brand: cardBrandOf(card.display_brand ?? card.brand),
    last4: card.last4,
    expMonth: card.exp_month,
    expYear: card.exp_year,
    holderName: billing.name,
    country: card.country,
    funding: card.funding,
    fingerprint: card.fingerprint ?? id,
  }
}

function eventOf(event: Stripe.Event): GatewayEvent {
  const { id, type } = event
  const object: unknown = event.data.object
  return { id, type, providerPaymentId: paymentIdIn(type, object) }
}

function paymentIdIn(type: string, object: unknown): string | null {
  if (typeof object !== 'object' || object === null) return null
  if (type.startsWith('payment_intent.')) return 'id' in object ? idOf(object.id) : null
  const isOfPayment = type.startsWith('charge.') || type.startsWith('refund.')
  return isOfPayment && 'payment_intent' in object ? idOf(object.payment_intent) : null
}

/** The id of a reference that may be expanded. */
function idOf(reference: unknown): string | null {
  if (typeof reference === 'string') return reference
  if (typeof reference !== 'object' || reference === null || !('id' in reference)) return null
  return typeof reference.id === 'string' ? reference.id : null
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeInvalidRequestError

/** The error of the port. Messages of Stripe may repeat parts of keys and tokens, so they are left behind. */
function translated(error: unknown): Error {
  if (isRefusal(error) && error instanceof Stripe.errors.StripeError)
    return new GatewayRefused(failureCodeOf(error.decline_code, error.code))
  // A second request with the same key, while the first one runs.
  const isBusy = error instanceof Stripe.errors.StripeRateLimitError || error instanceof Stripe.errors.StripeIdempotencyError
  if (isBusy) return new GatewayBusy()
  const type = error instanceof Stripe.errors.StripeError ? (error.code ?? error.type) : 'no answer'
  return Object.assign(new Error('the provider of payments does not answer'), { code: type })
}

async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw translated(error)
  }
}

/** Null for an object that Stripe does not know. */
async function unlessMissing<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (isRefusal(error)) return null
    throw translated(error)
  }
}
