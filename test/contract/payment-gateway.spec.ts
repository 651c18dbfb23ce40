import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { PaymentGateway, TakenPayment } from '#commands/payment/payment-gateway'
import { GatewayBusy, GatewayRefused } from '#commands/payment/payment-gateway'
import { MICROS } from '#domain/kit/money'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { createStripeGateway, STRIPE_API_VERSION } from '#platform/payment/stripe-gateway'
import { createTestGateway } from '#platform/payment/test-gateway'
import { migrateToLatest } from '#migrations/index'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startStripeDouble, type StripeDouble } from '../support/stripe-double.ts'
import { testClock } from '../support/test-clock.ts'

/** Actions outside Placard: in the browser, at the bank, and in the provider's own back office. */
type Outside = {
  readonly gateway: PaymentGateway
  readonly enterCard: (setupId: string, testId: string) => Promise<string>
  readonly confirmation: (providerId: string, outcome: 'complete' | 'fail') => Promise<void>
  readonly stop: () => Promise<void>
}

async function overTestGateway(): Promise<Outside> {
  const database: TestDatabase = await createTestDatabase()
  const db = createKysely(database.pool)
  await migrateToLatest(db)
  const gateway = createTestGateway({ db, newId, now: testClock.at })
  return {
    gateway,
    enterCard: async (_setupId, testId) => testId,
    confirmation: gateway.confirmation,
    stop: () => database.drop(),
  }
}

const stripeOf = ({ secretKey, webhookSecret, url }: StripeDouble) =>
  createStripeGateway({ secretKey, webhookSecret, publishableKey: 'pk_test_double', apiUrl: url })

async function overStripe(): Promise<Outside> {
  const double = await startStripeDouble()
  return {
    gateway: stripeOf(double),
    enterCard: async (setupId, testId) => double.confirmSetup(setupId, testId),
    confirmation: async (providerId, outcome) => double.confirmation(providerId, outcome),
    stop: double.stop,
  }
}

describe.each([
  ['the test gateway', overTestGateway],
  ['Stripe', overStripe],
])('the payment gateway %s', (_, open) => {
  let outside: Outside
  beforeAll(async () => {
    outside = await open()
  })
  afterAll(() => outside.stop())

  async function card(testId: string) {
    const { gateway, enterCard } = outside
    const customerId = await gateway.createCustomer(newId())
    const { setupId } = await gateway.startSetup(customerId)
    const methodId = await enterCard(setupId, testId)
    const confirmed = await gateway.confirmedCard({ setupId, methodId, customerId })
    if (confirmed === null) throw new Error('the card was not confirmed')
    return { ...confirmed, customerId, setupId, entered: methodId }
  }
  async function opened(testId: string) {
    const { customerId, methodId } = await card(testId)
    const paymentId = newId()
    const order = { paymentId, customerId, methodId, amount: 25.5 * MICROS, currency: 'USD' }
    const { providerId } = await outside.gateway.open(order)
    return { ...order, providerId }
  }
  async function charged(testId: string, offSession = false) {
    const order = await opened(testId)
    return { ...order, payment: await outside.gateway.confirm({ ...order, offSession }) }
  }

  it('confirms the card that was entered, for its customer alone', async () => {
    const { gateway } = outside
    const visa = await card('pm_card_visa')
    expect(visa).toMatchObject({ brand: 'visa', last4: '4242', expMonth: 12 })
    expect(await card('pm_card_amex')).toMatchObject({ brand: 'amex' })
    const other = await gateway.createCustomer(newId())
    const asked = { setupId: visa.setupId, methodId: visa.entered }
    expect(await gateway.confirmedCard({ ...asked, customerId: other })).toBeNull()
    expect(await gateway.confirmedCard({ ...asked, setupId: 'seti_unknown', customerId: visa.customerId })).toBeNull()
    expect(await gateway.confirmedCard({ ...asked, methodId: 'pm_unknown', customerId: visa.customerId })).toBeNull()
    await gateway.removeCard(visa.methodId)
    await gateway.removeCard('pm_unknown')
  })

  it('gives the same number the same fingerprint, and another one another', async () => {
    const [one, two, three] = [await card('pm_card_visa'), await card('pm_card_visa'), await card('pm_card_mastercard')]
    expect(two.fingerprint).toBe(one.fingerprint)
    expect(two.methodId).not.toBe(one.methodId)
    expect(three.fingerprint).not.toBe(one.fingerprint)
  })

  it('opens a payment once, without taking money', async () => {
    const order = await opened('pm_card_visa')
    expect((await outside.gateway.open(order)).providerId).toBe(order.providerId)
    expect(await outside.gateway.read(order.providerId)).toMatchObject({ status: 'unconfirmed', paymentId: order.paymentId })
  })

  it.each([
    ['pm_card_visa', 'succeeded', null],
    ['pm_card_mastercard', 'succeeded', null],
    ['pm_card_chargeDeclined', 'failed', 'card_declined'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'failed', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'failed', 'expired_card'],
    ['pm_card_authenticationRequired', 'requires_action', null],
  ])('charges %s: %s', async (testId, status, failureCode) => {
    const { payment, providerId, paymentId } = await charged(testId)
    expect(payment).toMatchObject({ providerId, paymentId, status, failureCode, refunds: [], disputes: [] })
    expect(payment.clientToken === null).toBe(status !== 'requires_action')
    expect(await outside.gateway.read(providerId)).toEqual(payment)
  })

  it('fails without a user where the bank asks for a confirmation', async () => {
    const { payment } = await charged('pm_card_authenticationRequired', true)
    expect(payment).toMatchObject({ status: 'failed', failureCode: 'authentication_required' })
  })

  it('takes the money once, however often it is confirmed', async () => {
    const { payment, ...order } = await charged('pm_card_visa')
    const again = await outside.gateway.confirm({ ...order, offSession: false })
    expect(again).toMatchObject({ providerId: payment.providerId, status: 'succeeded' })
  })

  it.each([
    ['complete', { status: 'succeeded', clientToken: null }],
    ['fail', { status: 'failed', failureCode: 'authentication_failed' }],
  ] as const)('records a confirmation by the bank: %s', async (outcome, expected) => {
    const { providerId } = await charged('pm_card_authenticationRequired')
    await outside.confirmation(providerId, outcome)
    expect(await outside.gateway.read(providerId)).toMatchObject(expected)
  })

  it('cancels what took no money, and nothing else', async () => {
    const { gateway } = outside
    const { providerId, ...order } = await opened('pm_card_visa')
    expect(await gateway.cancel(providerId)).toMatchObject({ status: 'failed', failureCode: 'canceled' })
    expect(await gateway.confirm({ ...order, providerId, offSession: false })).toMatchObject({ status: 'failed' })
    const { payment } = await charged('pm_card_visa')
    expect(await gateway.cancel(payment.providerId)).toMatchObject({ status: 'succeeded' })
  })

  it('lists the payments that took money, with what their record needs', async () => {
    const { gateway } = outside
    const orders = [await charged('pm_card_visa'), await charged('pm_card_mastercard')]
    const without = [await opened('pm_card_visa'), await charged('pm_card_chargeDeclined')]
    const listed = new Map<string, TakenPayment>()
    for await (const one of gateway.taken('2026-01-01T00:00:00.000Z')) listed.set(one.paymentId, one)
    for (const { paymentId, payment, methodId } of orders)
      expect(listed.get(paymentId)).toMatchObject({
        providerId: payment.providerId,
        methodId,
        amount: 25.5 * MICROS,
        currency: 'USD',
      })
    for (const { paymentId } of without) expect(listed.has(paymentId)).toBe(false)
  })

  it('knows no other payments', async () => {
    expect(await outside.gateway.read('pi_unknown')).toBeNull()
    await outside.gateway.ping()
  })
})

describe('Stripe', () => {
  let double: StripeDouble
  let gateway: PaymentGateway
  beforeAll(async () => {
    double = await startStripeDouble()
    gateway = stripeOf(double)
  })
  afterAll(() => double.stop())

  async function succeeded(amount = 20 * MICROS, currency = 'USD') {
    const customerId = await gateway.createCustomer(newId())
    const { setupId } = await gateway.startSetup(customerId)
    const methodId = double.confirmSetup(setupId, 'pm_card_visa')
    const paymentId = newId()
    const { providerId } = await gateway.open({ paymentId, customerId, methodId, amount, currency })
    return gateway.confirm({ providerId, paymentId, methodId, offSession: false })
  }

  it('Stripe is asked with the pinned version alone', async () => {
    await succeeded()
    expect([...double.versions]).toEqual([STRIPE_API_VERSION])
  })

  it('reports refunds and disputes in the currency of the payment', async () => {
    const { providerId } = await succeeded(50.25 * MICROS, 'TND')
    const refund = double.refund(providerId, 1250)
    const dispute = double.dispute(providerId, 'needs_response')
    expect(await gateway.read(providerId)).toMatchObject({
      refunds: [{ id: refund, amount: 1.25 * MICROS }],
      disputes: [{ id: dispute, amount: 50.25 * MICROS, status: 'open' }],
    })
    double.dispute(providerId, 'won')
    expect(await gateway.read(providerId)).toMatchObject({ disputes: [{ status: 'won' }] })
  })

  it('lists every page of the payments that took money, with the accounts of their customers', async () => {
    const customerId = await gateway.createCustomer('nile')
    const methodId = double.confirmSetup((await gateway.startSetup(customerId)).setupId, 'pm_card_visa')
    const made = Array.from({ length: 101 }, () => newId())
    for (const paymentId of made) {
      const { providerId } = await gateway.open({ paymentId, customerId, methodId, amount: 1.25 * MICROS, currency: 'TND' })
      await gateway.confirm({ providerId, paymentId, methodId, offSession: false })
    }
    const listed: TakenPayment[] = []
    for await (const one of gateway.taken('2026-01-01T00:00:00.000Z')) if (one.spaceId === 'nile') listed.push(one)
    expect(new Set(listed.map(({ paymentId }) => paymentId))).toEqual(new Set(made))
    expect(listed[0]).toMatchObject({ customerId, methodId, amount: 1.25 * MICROS, currency: 'TND' })
  })

  it('refuses an amount that minor units cannot say', async () => {
    await expect(succeeded(10_001)).rejects.toBeInstanceOf(GatewayRefused)
  })

  it.each(['payment_intent.succeeded', 'charge.refunded', 'charge.dispute.created', 'refund.created'])(
    'names the payment of %s',
    async (type) => {
      const { providerId } = await succeeded()
      const { body, signature } = double.webhook(type, providerId, { id: 'evt_1' })
      expect(gateway.readEvent(Buffer.from(body), signature)).toEqual({ id: 'evt_1', type, providerPaymentId: providerId })
    },
  )

  it('reads an event only with a fresh signature over its bytes', async () => {
    const { providerId } = await succeeded()
    const { body, signature } = double.webhook('payment_intent.succeeded', providerId)
    expect(gateway.readEvent(Buffer.from(`${body} `), signature)).toBeNull()
    expect(gateway.readEvent(Buffer.from(body), 't=1,v1=0')).toBeNull()
    const old = double.webhook('payment_intent.succeeded', providerId, { secondsAgo: 600 })
    expect(gateway.readEvent(Buffer.from(old.body), old.signature)).toBeNull()
    const other = double.webhook('customer.updated', providerId)
    expect(gateway.readEvent(Buffer.from(other.body), other.signature)).toMatchObject({ providerPaymentId: null })
  })

  it.each([
    ['limited', GatewayBusy],
    ['broken', Error],
    ['locked', Error],
  ] as const)('Stripe that is %s rejects without its secrets', async (mode, kind) => {
    double.mode = mode
    try {
      const error = await gateway.ping().catch((one: unknown) => one)
      expect(error).toBeInstanceOf(kind)
      expect(error).not.toBeInstanceOf(GatewayRefused)
      expect(String(error)).not.toContain(double.secretKey)
    } finally {
      double.mode = 'up'
    }
  })

  it('Stripe that completes no connection is away, and not merely slow to answer', async () => {
    // Accepts at the level of TCP and never answers the handshake of TLS.
    const frozen = createServer().listen(0, '127.0.0.1')
    await once(frozen, 'listening')
    onTestFinished(() => void frozen.close())
    const unreachable = createStripeGateway({
      secretKey: 'sk_test_x',
      webhookSecret: 'whsec_x',
      publishableKey: null,
      apiUrl: `https://127.0.0.1:${(frozen.address() as AddressInfo).port}`,
    })
    await expect(unreachable.ping()).rejects.toThrow('does not answer')
  })
})
