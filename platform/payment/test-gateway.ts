import type { Kysely } from 'kysely'
import {
  GatewayMissing,
  GatewayRefused,
  type GatewayCard,
  type GatewayPayment,
  type PaymentGateway,
} from '#commands/payment/payment-gateway'
import type { CardBrand } from '#domain/payment/brands'
import type { RefundStatus } from '#domain/payment/payment'
import type { FailureCode } from '#domain/payment/failures'
import { TEST_CARDS, type TestCard } from '#domain/payment/test-cards'
import type { Db } from '#migrations/db'

/** The bank's page of the test gateway, which a user of the application plays. */
export type TestBank = {
  /** Completes or fails the confirmation of a payment. Nothing happens to a payment that waits for none. */
  readonly confirmation: (providerId: string, outcome: 'complete' | 'fail') => Promise<void>
}

export type TestGatewayDeps = {
  readonly db: Kysely<Db>
  readonly newId: () => string
  readonly now: () => string
}

type Row = {
  readonly id: string
  readonly payment_id: string
  readonly status: GatewayPayment['status']
  readonly failure_code: FailureCode | null
  readonly refunds: readonly { readonly id: string; readonly amount: number; readonly status?: RefundStatus }[]
  readonly disputes: GatewayPayment['disputes']
}

/** Years that a test card is valid. */
const VALID_YEARS = 3
const SETUP_MS = 86_400_000

/**
 * Plays a provider with Stripe's test cards; no money moves. Its state is in PostgreSQL, so that every process sees the same payments,
 * and each of its steps is one statement.
 */
export function createTestGateway({ db, newId, now }: TestGatewayDeps): PaymentGateway & TestBank {
  async function read(providerId: string): Promise<GatewayPayment | null> {
    const row = await db
      .selectFrom('app.test_gateway_payments')
      .select(['id', 'payment_id', 'status', 'failure_code', 'refunds', 'disputes'])
      .where('id', '=', providerId)
      .$castTo<Row>()
      .executeTakeFirst()
    return row === undefined ? null : paymentOf(row)
  }

  async function readExisting(providerId: string): Promise<GatewayPayment> {
    const payment = await read(providerId)
    if (payment === null) throw new GatewayMissing('payment')
    return payment
  }

  async function step(
    providerId: string,
    from: GatewayPayment['status'],
    to: GatewayPayment['status'],
    failure: FailureCode | null,
  ) {
    await db
      .updateTable('app.test_gateway_payments')
      .set({ status: to, failure_code: failure })
      .where('id', '=', providerId)
      .where('status', '=', from)
      .execute()
  }

  return {
    provider: 'test',
    publishableKey: null,
    ping: async () => undefined,
    createCustomer: async (spaceId) => `cus_test_${spaceId}`,

    async startSetup(customerId) {
      const setupId = `seti_test_${newId()}`
      await db.insertInto('app.test_gateway_setups').values({ id: setupId, customer_id: customerId }).execute()
      return { setupId, clientToken: `${setupId}_secret`, expiresAt: new Date(Date.parse(now()) + SETUP_MS).toISOString() }
    },

    async confirmedCard({ setupId, methodId, customerId }) {
      const card = cardOf(methodId)
      if (card === null) return null
      const setups = db.selectFrom('app.test_gateway_setups').select('id').where('id', '=', setupId)
      const setup = await setups.where('customer_id', '=', customerId).executeTakeFirst()
      return setup === undefined ? null : { ...asGatewayCard(card, now()), methodId: `${card.id}-${newId()}` }
    },

    removeCard: async () => undefined,

    async open({ paymentId, methodId, amount, currency }) {
      const opened = await db
        .insertInto('app.test_gateway_payments')
        .values({
          id: `pi_test_${paymentId}`,
          payment_id: paymentId,
          method_id: methodId,
          amount,
          currency,
          status: 'unconfirmed',
        })
        // A repeat gets the payment of before.
        .onConflict((conflict) => conflict.column('payment_id').doUpdateSet({ payment_id: paymentId }))
        .returning('id')
        .executeTakeFirst()
      if (opened === undefined) throw new GatewayRefused('processing_error')
      return { providerId: opened.id }
    },

    async confirm({ providerId, methodId, offSession }) {
      const card = cardOf(methodId)
      const outcome = card?.outcome ?? 'card_declined'
      if (outcome === 'succeeds') await step(providerId, 'unconfirmed', 'succeeded', null)
      else if (outcome !== 'asks') await step(providerId, 'unconfirmed', 'failed', outcome)
      else if (offSession) await step(providerId, 'unconfirmed', 'failed', 'authentication_required')
      else await step(providerId, 'unconfirmed', 'requires_action', null)
      return readExisting(providerId)
    },

    read,

    async *taken() {
      const rows = await db
        .selectFrom('app.test_gateway_payments as p')
        .leftJoin('app.cards as c', 'c.method_id', 'p.method_id')
        .select(['p.id', 'p.payment_id', 'p.method_id', 'p.amount', 'p.currency', 'c.space_id'])
        .where('p.status', '=', 'succeeded')
        .orderBy('p.id')
        .execute()
      for (const { id: providerId, payment_id: paymentId, method_id: methodId, space_id: spaceId, amount, currency } of rows)
        yield { providerId, paymentId, methodId, spaceId, customerId: null, amount: Number(amount), currency }
    },

    async cancel(providerId) {
      await db
        .updateTable('app.test_gateway_payments')
        .set({ status: 'failed', failure_code: 'canceled' })
        .where('id', '=', providerId)
        .where('status', 'in', ['unconfirmed', 'requires_action'])
        .execute()
      return readExisting(providerId)
    },

    readEvent: () => null,

    async confirmation(providerId, outcome) {
      if (outcome === 'complete') await step(providerId, 'requires_action', 'succeeded', null)
      else await step(providerId, 'requires_action', 'failed', 'authentication_failed')
    },
  }
}

const paymentOf = ({ id, payment_id, status, failure_code, refunds, disputes }: Row): GatewayPayment => ({
  providerId: id,
  paymentId: payment_id,
  status,
  failureCode: failure_code,
  clientToken: status === 'requires_action' ? `${id}_secret` : null,
  // It makes no refunds itself: they are put there by hand, and have reached the card.
  refunds: refunds.map((refund) => ({ ...refund, status: refund.status ?? 'succeeded' })),
  disputes,
})

/** The card of a test id, or of a stored method, which ends with its own id. */
const cardOf = (methodId: string): TestCard | null =>
  TEST_CARDS.find(({ id }) => methodId === id || methodId.startsWith(`${id}-`)) ?? null

function asGatewayCard({ id, brand, last4 }: TestCard, now: string): Omit<GatewayCard, 'methodId'> {
  return {
    brand: brand satisfies CardBrand,
    last4,
    expMonth: 12,
    expYear: new Date(now).getUTCFullYear() + VALID_YEARS,
    holderName: null,
    country: 'US',
    funding: 'credit',
    fingerprint: id,
  }
}
