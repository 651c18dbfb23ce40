import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Stripe } from 'stripe'
import {
  GatewayMissing,
  GatewayRefused,
  type GatewayCard,
  type GatewayEvent,
  type GatewayPayment,
  type PaymentGateway,
} from '#commands/payment/payment-gateway'
import { fromMinor, toMinor } from '#domain/payment/amounts'
import { cardBrandOf } from '#domain/payment/brands'
import { failureCodeOf } from '#domain/payment/failures'
import type { DisputeStatus, RefundStatus } from '#domain/payment/payment'
import { withConnectLimit } from './connect-limit.ts'
import { checkedClient } from './stripe-answers.ts'
import { isDecline, isMissing, isPastStep, isKept, translated } from './stripe-faults.ts'

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
const MOST = 1000
const PAGE = 100
/** Idempotency keys of this process under which Stripe keeps a failure. */
const SPOILED_KEYS = 10_000

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
    httpClient: checkedClient(Stripe.createNodeHttpClient(agent)),
  })

  /** How often Stripe kept a failure under a key: each repeat of the request would get that failure again, for a day. */
  const spoiled = new Map<string, number>()

  /** A request that creates or confirms something once; after a failure that Stripe keeps, the next one has its own key. */
  async function once<T>(key: string, ask: (options: { idempotencyKey: string }) => Promise<T>): Promise<T> {
    const failures = spoiled.get(key) ?? 0
    try {
      return await ask({ idempotencyKey: failures === 0 ? key : `${key}-${failures}` })
    } catch (error) {
      if (isKept(error)) {
        spoiled.set(key, failures + 1)
        const [oldest] = spoiled.keys()
        if (spoiled.size > SPOILED_KEYS && oldest !== undefined) spoiled.delete(oldest)
      }
      throw error
    }
  }

  async function read(providerId: string): Promise<GatewayPayment | null> {
    const intent = await unlessMissing(() => stripe.paymentIntents.retrieve(providerId, { expand: ['latest_charge'] }))
    return intent === null ? null : paymentOf(intent)
  }

  async function readExisting(providerId: string): Promise<GatewayPayment> {
    const payment = await read(providerId)
    if (payment === null) throw new GatewayMissing('payment')
    return payment
  }

  async function paymentOf(intent: Stripe.PaymentIntent): Promise<GatewayPayment> {
    const { id, latest_charge: charge, currency, metadata, last_payment_error: failure } = intent
    const money = (minor: number) => fromMinor(minor, currency.toUpperCase())
    const known = typeof charge === 'object' ? charge : null
    const asked = { payment_intent: id, limit: PAGE }
    const [refunds, disputes] = await Promise.all([
      // Also when nothing counts as refunded: a refund that failed does not.
      known !== null && intent.status === 'succeeded'
        ? answered(() => stripe.refunds.list(asked).autoPagingToArray({ limit: MOST }))
        : [],
      known?.disputed === true ? answered(() => stripe.disputes.list(asked).autoPagingToArray({ limit: MOST })) : [],
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
            : failure?.type === 'card_error'
              ? failureCodeOf(failure.decline_code, failure.code)
              : 'processing_error',
      clientToken: intent.status === 'requires_action' ? intent.client_secret : null,
      refunds: refunds.flatMap((refund) => {
        const of = REFUNDS[refund.status ?? '']
        return of === undefined ? [] : [{ id: refund.id, amount: money(refund.amount), status: of }]
      }),
      disputes: disputes.flatMap((dispute) => {
        const of = DISPUTES[dispute.status]
        return of === undefined ? [] : [{ id: dispute.id, amount: money(dispute.amount), status: of }]
      }),
    }
  }

  return {
    provider: /^(sk|rk)_test_/.test(secretKey) ? 'stripe_test' : 'stripe',
    publishableKey,
    async ping() {
      try {
        await stripe.balance.retrieve()
      } catch (error) {
        // A restricted key without the right to read the balance.
        if (!(error instanceof Stripe.errors.StripePermissionError)) throw translated(error)
      }
    },

    async createCustomer(spaceId, insteadOf = null) {
      // No name and no address: Stripe needs neither.
      const params = { metadata: { space_id: spaceId } }
      const key = insteadOf === null ? `customer-${spaceId}` : `customer-${spaceId}-${insteadOf}`
      return (await answered(() => once(key, (options) => stripe.customers.create(params, options)))).id
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
      const intent = await answered(() =>
        once(`payment-${paymentId}`, (options) => stripe.paymentIntents.create(params, options)),
      )
      return { providerId: intent.id }
    },

    async confirm({ providerId, paymentId, methodId: payment_method, offSession }) {
      const params = { payment_method, expand: ['latest_charge'], ...(offSession ? { off_session: true } : {}) }
      try {
        const confirmed = await once(`payment-${paymentId}-confirm`, (options) =>
          stripe.paymentIntents.confirm(providerId, params, options),
        )
        return await paymentOf(confirmed)
      } catch (error) {
        // A declined card, or a payment that has another state by now: Stripe's own record says which.
        if (!isDecline(error) && !isPastStep(error)) throw translated(error)
        return readExisting(providerId)
      }
    },

    read,

    async *taken(since) {
      const created = { gte: Math.floor(Date.parse(since) / 1000) }
      const pages = stripe.paymentIntents.list({ created, limit: PAGE, expand: ['data.customer'] })
      try {
        for await (const { id, status, metadata, customer, payment_method: method, amount, currency } of pages) {
          const paymentId = metadata['payment_id']
          if (status !== 'succeeded' || paymentId === undefined) continue
          const known = typeof customer === 'object' && customer !== null && customer.deleted !== true ? customer.metadata : {}
          const upper = currency.toUpperCase()
          yield {
            providerId: id,
            paymentId,
            spaceId: known['space_id'] ?? null,
            customerId: idOf(customer),
            methodId: idOf(method) ?? '',
            amount: fromMinor(amount, upper),
            currency: upper,
          }
        }
      } catch (error) {
        throw translated(error)
      }
    },

    async cancel(providerId) {
      try {
        return await paymentOf(await stripe.paymentIntents.cancel(providerId, { expand: ['latest_charge'] }))
      } catch (error) {
        if (!isPastStep(error)) throw translated(error)
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

/** Refunds that wait move no money yet. */
const REFUNDS: Readonly<Record<string, RefundStatus>> = { succeeded: 'succeeded', failed: 'failed', canceled: 'failed' }

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
    if (isMissing(error)) return null
    throw translated(error)
  }
}
