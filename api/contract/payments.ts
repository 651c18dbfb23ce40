import { CARD_BRANDS, type CardBrand, type CardBrandLabel } from '#domain/payment/brands'
import { FAILURE_CODES } from '#domain/payment/failures'
import { PAYMENT_ORIGINS } from '#domain/payment/payment'
import { endpoint, named, page, position } from './http.ts'
import { z } from './zod.ts'

/** Payments by card: cards, refills, automatic refills, and the webhook of the provider (fine print 60). */

const id = z.object({ id: z.string() })
/** The account, for staff; absent: the caller's own or chosen one. */
const spaceId = z.optional(z.string())
const inSpace = z.object({ space_id: spaceId })
const ofAccount = z.object({ space_id: spaceId, 'user-id': z.optional(z.string()) })
const bodySpace = z.nullish(z.string())

const provider = z.enum(['stripe', 'test'])
const failure = z.nullable(z.enum(FAILURE_CODES))

export const paymentMethod = named(
  'PaymentMethod',
  z.object({
    id: z.string(),
    provider,
    brand: z.enum(Object.keys(CARD_BRANDS) as [CardBrand, ...CardBrand[]]),
    brand_label: z.enum(Object.values(CARD_BRANDS) as [CardBrandLabel, ...CardBrandLabel[]]),
    last4: z.string(),
    exp_month: z.number(),
    exp_year: z.number(),
    holder_name: z.nullable(z.string()),
    country: z.nullable(z.string()),
    funding: z.nullable(z.string()),
    is_default: z.boolean(),
    /** `failed`: the newest payment with the card failed. */
    status: z.enum(['active', 'expired', 'failed']),
    /** It expires within 30 days. */
    expires_soon: z.boolean(),
    created_at: z.string(),
    last_used_at: z.nullable(z.string()),
  }),
)
export type PaymentMethodRecord = z.output<typeof paymentMethod>

const paymentMethods = named(
  'PaymentMethods',
  z.object({
    paymentMethods: z.array(paymentMethod),
    isAllowMakePayment: z.boolean(),
    /** `test`: no real money moves. */
    provider,
    /** For the provider's script in the browser; null for the test gateway, or when it is not configured. */
    publishable_key: z.nullable(z.string()),
    space_id: z.string(),
    currency: z.string(),
    /** The least and the most of one refill, its decimals, and amounts to choose from. */
    limits: z.object({ min: z.number(), max: z.number(), decimals: z.number(), presets: z.array(z.number()) }),
  }),
)
export type PaymentMethodsAnswer = z.output<typeof paymentMethods>

export const listPaymentMethods = endpoint({
  id: 'card.list',
  method: 'GET',
  path: '/v1/payment-method',
  access: 'card.read',
  summary: 'Cards of an account, the default first, and whether it may pay by card',
  reads: ['accounts', 'payments'],
  query: ofAccount,
  output: paymentMethods,
})

export const startCardSetup = endpoint({
  id: 'card.setup',
  method: 'GET',
  path: '/v1/payment-method/add',
  access: 'card.write',
  summary: 'Starts the entry of a card with the provider; adds nothing by itself',
  reads: [],
  query: ofAccount,
  output: z.object({
    client_token: z.string(),
    setup_id: z.string(),
    provider,
    /** For the provider's script in the browser; null for the test gateway, or when it is not configured. */
    publishable_key: z.nullable(z.string()),
  }),
})

export const addPaymentMethod = endpoint({
  id: 'card.add',
  method: 'POST',
  path: '/v1/payment-method',
  access: 'card.write',
  summary: 'Stores the card that the provider confirmed. A card that the account has already is renewed',
  reads: [],
  body: 'json',
  input: z.object({ setup_id: z.string(), provider_method_id: z.string(), space_id: bodySpace }),
  output: z.extend(paymentMethod, { position }),
  command: true,
})

export const removePaymentMethod = endpoint({
  id: 'card.remove',
  method: 'DELETE',
  path: '/v1/payment-method/:id',
  access: 'card.write',
  summary: 'Removes a card. After the default, the most recently used card is the default',
  reads: [],
  params: id,
  query: inSpace,
  output: z.object({ id: z.string(), position }),
  command: true,
})

export const clientToken = endpoint({
  id: 'card.clientToken',
  method: 'GET',
  path: '/v1/payment/stripe/client-token',
  access: 'card.write',
  summary: 'A token with which the browser sends a card to the provider',
  reads: [],
  query: inSpace,
  output: z.object({ client_token: z.string(), expires_at: z.string() }),
})

export const setDefaultPaymentMethod = endpoint({
  id: 'card.default',
  method: 'POST',
  path: '/v1/payment/stripe/method/default/:id',
  access: 'card.write',
  summary: 'Makes a card the default',
  reads: [],
  params: id,
  query: inSpace,
  output: z.object({ id: z.string(), position }),
  command: true,
})

const refillStatus = z.enum(['succeeded', 'processing', 'requires_action', 'failed'])

const refillAnswer = named(
  'Refill',
  z.object({
    id: z.string(),
    status: refillStatus,
    failure_code: failure,
    amount: z.number(),
    currency: z.string(),
    /** For the confirmation by the bank in the browser; null when there is nothing to confirm. */
    client_token: z.nullable(z.string()),
    position,
  }),
)
export type RefillAnswer = z.output<typeof refillAnswer>

export const refill = endpoint({
  id: 'refill.make',
  method: 'POST',
  path: '/v1/payment/refill',
  access: 'card.write',
  summary: 'Charges a card and adds the amount to the balance. A declined payment is 142, with the reason in data.failure_code',
  reads: [],
  body: 'json',
  input: z.object({ amount: z.number(), payment_method_id: z.string(), space_id: bodySpace }),
  output: refillAnswer,
  command: true,
})

export const getRefill = endpoint({
  id: 'refill.get',
  method: 'GET',
  path: '/v1/payment/refill/:id',
  access: 'card.read',
  summary: 'The state of a refill; one that waits is read from the provider now',
  reads: [],
  params: id,
  output: refillAnswer,
})

const refillRow = named(
  'RefillRow',
  z.object({
    id: z.string(),
    created_at: z.string(),
    amount: z.number(),
    currency: z.string(),
    /** `refunded` and `disputed` once money went back; `disputed` until the dispute is won. */
    status: z.enum(['succeeded', 'processing', 'requires_action', 'failed', 'refunded', 'partly_refunded', 'disputed']),
    failure_code: failure,
    /** A user, or the automatic refill of the account. */
    origin: z.enum(PAYMENT_ORIGINS),
    refunded: z.number(),
    disputed: z.number(),
    card: z.nullable(z.object({ id: z.string(), brand_label: z.string(), last4: z.string() })),
    /** The receipt that was mailed; null unless money arrived. */
    receipt: z.nullable(z.object({ number: z.string(), status: z.enum(['queued', 'sent', 'failed']) })),
    actor: z.string(),
  }),
)
export type RefillRow = z.output<typeof refillRow>

export const refillHistory = endpoint({
  id: 'refill.history',
  method: 'GET',
  path: '/v1/payment/history',
  access: 'balance.read',
  summary: 'Refills of an account, newest first; zero-based pages of 10',
  reads: ['payments'],
  query: z.object({
    space_id: spaceId,
    page: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000))),
    page_size: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(150))),
  }),
  output: page(refillRow),
})

const autoRefillFields = {
  enabled: z.boolean(),
  threshold: z.number(),
  amount: z.number(),
  monthly_limit: z.number(),
}

const autoRefillRecord = named(
  'AutoRefill',
  z.object({
    ...autoRefillFields,
    currency: z.string(),
    /** Charged by automatic refills in this month of the white-label. */
    spent_this_month: z.number(),
    /** Why the last automatic refill failed and stopped the others; null otherwise. */
    stopped: z.nullable(z.object({ failure_code: z.enum(FAILURE_CODES), at: z.string() })),
  }),
)
export type AutoRefillRecord = z.output<typeof autoRefillRecord>

export const getAutoRefill = endpoint({
  id: 'autoRefill.get',
  method: 'GET',
  path: '/v1/payment/auto-refill',
  access: 'card.read',
  summary: 'The automatic refill of an account: below the threshold, the default card is charged with the amount',
  reads: ['accounts', 'payments'],
  query: inSpace,
  output: autoRefillRecord,
})

export const saveAutoRefill = endpoint({
  id: 'autoRefill.save',
  method: 'PUT',
  path: '/v1/payment/auto-refill',
  access: 'card.write',
  summary: 'Changes the automatic refill of an account',
  reads: [],
  body: 'json',
  input: z.object({ ...autoRefillFields, space_id: bodySpace }),
  output: z.object({ ...autoRefillFields, position }),
  command: true,
})

export const stripeWebhook = endpoint({
  id: 'payment.webhook',
  method: 'POST',
  path: '/v1/payment/stripe/webhook',
  access: 'public',
  summary: 'Events of the provider, signed by it. Each is stored once and carried out afterwards',
  reads: [],
  output: z.object({ received: z.boolean() }),
})

export const testConfirmation = endpoint({
  id: 'refill.testConfirmation',
  method: 'POST',
  path: '/v1/payment/test/confirmation',
  access: 'card.write',
  summary: 'Test gateway only: plays the page of the bank that confirms a payment',
  reads: [],
  body: 'json',
  input: z.object({ id: z.string(), outcome: z.enum(['complete', 'fail']) }),
  output: refillAnswer,
  command: true,
})

export const PAYMENT_ENDPOINTS = [
  listPaymentMethods,
  startCardSetup,
  addPaymentMethod,
  removePaymentMethod,
  clientToken,
  setDefaultPaymentMethod,
  refill,
  getRefill,
  refillHistory,
  getAutoRefill,
  saveAutoRefill,
  stripeWebhook,
  testConfirmation,
]
