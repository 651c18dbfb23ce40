import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PaymentMethodRecord, RefillAnswer, RefillRow } from '#contract/payments'
import { createTestDatabase } from '../support/database.ts'
import { eventually, signIn, startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { nodeRuns, root } from '../support/product-process.ts'
import { startStripeDouble, type StripeDouble, type Webhook } from '../support/stripe-double.ts'

const PUBLISHABLE = 'pk_test_double0123456789'
const envOf = ({ url, secretKey, webhookSecret }: StripeDouble) => ({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_PUBLISHABLE_KEY: PUBLISHABLE,
  STRIPE_API_URL: url,
})

type Setup = { readonly client_token: string; readonly setup_id: string; readonly publishable_key: string }
type Ledger = { readonly data: readonly { readonly type: string; readonly amount: number }[] }

const send = (base: string, { body, signature }: Webhook) =>
  fetch(`${base}/v1/payment/stripe/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body,
  })

async function addCard(session: Session, stripe: StripeDouble, testId = 'pm_card_visa') {
  const { data } = await session.call<Setup>('GET', '/v1/payment-method/add')
  const provider_method_id = stripe.confirmSetup(data.setup_id, testId)
  const added = await session.call<PaymentMethodRecord>('POST', '/v1/payment-method', {
    setup_id: data.setup_id,
    provider_method_id,
  })
  expect(added).toMatchObject({ code: 0 })
  return { ...added.data, clientToken: data.client_token }
}
const refill = (session: Session, amount: number, payment_method_id: string) =>
  session.call<RefillAnswer>('POST', '/v1/payment/refill', { amount, payment_method_id })

describe('Stripe', () => {
  let product: TestProduct
  let stripe: StripeDouble
  let bola: Session
  let lagos = ''
  beforeAll(async () => {
    stripe = await startStripeDouble()
    product = await startTestProduct({ ...envOf(stripe), LOG_LEVEL: 'silent' })
    bola = await product.as('bola@lagos.example')
    lagos = (await bola.call<{ space_id: string }>('GET', '/v1/user/me')).data.space_id
  })
  afterAll(async () => {
    await product.stop()
    await stripe.stop()
  })

  /** Movements by card; the demo has others. */
  const movements = async () => {
    const { data } = (await bola.call<Ledger>('POST', `/v1/space/${lagos}/ledger`, {})).data
    return data.filter(({ type }) => /^(refill|refund|dispute)/.test(type)).map(({ type, amount }) => [type, amount])
  }
  const newest = async () => (await bola.call<{ data: readonly RefillRow[] }>('GET', '/v1/payment/history')).data.data[0]?.status
  const lastIntent = () => stripe.intents().at(-1) ?? ''

  it('stores the card that its form confirmed, and charges it once', async () => {
    const card = await addCard(bola, stripe)
    expect(card).toMatchObject({ provider: 'stripe', brand_label: 'Visa', last4: '4242', holder_name: 'Bola Adeyemi' })
    expect(await refill(bola, 5000, card.id)).toMatchObject({ code: 0, data: { status: 'succeeded' } })
    expect(await movements()).toEqual([['refill', 5000]])
    expect(stripe.asked('POST /v1/customers')).toBe(1)
  })

  it('moves the ledger by webhooks: a refund, a dispute, and a dispute that was won', async () => {
    const intent = lastIntent()
    stripe.refund(intent, 100_000)
    const refunded = stripe.webhook('charge.refunded', intent)
    expect((await send(product.base, refunded)).status).toBe(200)
    expect((await send(product.base, refunded)).status).toBe(200)
    await eventually(movements, (rows) => rows.length === 2)
    expect(await movements()).toEqual([
      ['refund', -1000],
      ['refill', 5000],
    ])
    expect(await newest()).toBe('partly_refunded')
    stripe.dispute(intent, 'needs_response')
    expect((await send(product.base, stripe.webhook('charge.dispute.created', intent))).status).toBe(200)
    await eventually(movements, (rows) => rows.length === 3)
    await eventually(newest, (status) => status === 'disputed')
    stripe.dispute(intent, 'won')
    // The first report of the dispute arrives once more, after the last one.
    expect((await send(product.base, stripe.webhook('charge.dispute.closed', intent))).status).toBe(200)
    expect((await send(product.base, stripe.webhook('charge.dispute.created', intent))).status).toBe(200)
    await eventually(movements, (rows) => rows.length === 4)
    expect((await movements())[0]?.[0]).toBe('dispute_won')
    expect((await movements()).reduce((sum, [, amount]) => sum + Number(amount), 0)).toBe(stripe.kept() / 100)
  })

  it('finishes a payment that the bank confirms while no page is open', async () => {
    const card = await addCard(bola, stripe, 'pm_card_authenticationRequired')
    const asked = await refill(bola, 2000, card.id)
    expect(asked.data).toMatchObject({ status: 'requires_action', client_token: expect.stringContaining('_secret_') })
    stripe.confirmation(lastIntent(), 'complete')
    expect((await send(product.base, stripe.webhook('payment_intent.succeeded', lastIntent()))).status).toBe(200)
    await eventually(movements, (rows) => rows[0]?.[0] === 'refill' && rows[0]?.[1] === 2000)
    expect((await bola.call<RefillAnswer>('GET', `/v1/payment/refill/${asked.data.id}`)).data.status).toBe('succeeded')
  })

  it('answers unknown events with 200, and refuses wrong, old and missing signatures', async () => {
    const intent = lastIntent()
    expect((await send(product.base, stripe.webhook('customer.updated', intent))).status).toBe(200)
    const { body, signature } = stripe.webhook('payment_intent.succeeded', intent)
    for (const wrong of [
      { body: `${body} `, signature },
      { body, signature: 't=1,v1=00' },
      stripe.webhook('x', intent, { secondsAgo: 900 }),
    ]) {
      const answer = await send(product.base, wrong)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ type: { code: 2 }, data: { errors: [{ path: 'Stripe-Signature' }] } })
    }
    expect((await fetch(`${product.base}/v1/payment/stripe/webhook`, { method: 'POST' })).status).toBe(400)
  })

  it('Stripe may be loaded by the page with the cards, and by no other page', async () => {
    const policyOf = async (path: string) => (await fetch(product.base + path)).headers.get('content-security-policy') ?? ''
    const cards = await policyOf('/payments/history?tab=cards')
    expect(cards).toMatch(/script-src [^;]*https:\/\/js\.stripe\.com/)
    expect(cards).toMatch(/connect-src [^;]*https:\/\/api\.stripe\.com/)
    expect(cards).toMatch(/frame-src [^;]*https:\/\/hooks\.stripe\.com/)
    for (const path of ['/', '/campaigns', '/payments', '/payments/history/x', '/v1/payment-method'])
      expect(await policyOf(path), path).not.toContain('stripe')
  })

  it('Stripe that is away makes its calls answer 503 in time, and nothing else; a payment that was asked for is not lost', async () => {
    const card = await addCard(bola, stripe)
    const before = (await movements()).length
    stripe.mode = 'frozen'
    const started = performance.now()
    const answer = await refill(bola, 3000, card.id)
    expect(answer).toMatchObject({ status: 503, code: 1 })
    expect(answer.headers.get('retry-after')).not.toBeNull()
    expect(performance.now() - started).toBeLessThan(10_000)
    const health = async () => (await fetch(`${product.base}/health/ready`)).json() as Promise<{ away: string[] }>
    await eventually(health, ({ away }) => away.includes('payments'))
    expect(await bola.call('GET', '/v1/payment-method')).toMatchObject({ code: 0 })
    expect(await bola.call('GET', '/v1/payment-method/add')).toMatchObject({ status: 503, code: 1 })
    const intent = stripe.intents()[0] ?? ''
    stripe.refund(intent, 5000)
    // Stored now, carried out once Stripe is back.
    expect((await send(product.base, stripe.webhook('charge.refunded', intent))).status).toBe(200)
    stripe.mode = 'up'
    await eventually(health, ({ away }) => !away.includes('payments'))
    await eventually(movements, (rows) => rows.length === before + 1)
    expect((await movements())[0]).toEqual(['refund', -50])
  })
})

describe('the log of a whole run', () => {
  it('holds no key, no token and no number of a card, at any level', async () => {
    const stripe = await startStripeDouble()
    const database = await createTestDatabase()
    const dataDir = await mkdtemp(join(tmpdir(), 'placard-stripe-'))
    const env = {
      ...envOf(stripe),
      DATABASE_URL: database.url,
      PLACARD_DATA_DIR: dataDir,
      PLACARD_DEMO: 'on',
      PLACARD_DEMO_DELIVERY: 'off',
      PLACARD_UNSAFE_DATABASE: 'on',
      PORT: '0',
      LOG_LEVEL: 'debug',
    }
    const child = spawn(process.execPath, nodeRuns('test/support/demo-main.ts'), {
      cwd: root,
      env: { ...process.env, ...env },
    })
    let log = ''
    const base = await new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        log += String(chunk)
        const found = /ready at (\S+)/.exec(log)?.[1]
        if (found !== undefined) resolve(found)
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.once('exit', () => reject(new Error(log)))
    })
    try {
      const bola = await signIn(base, 'bola@lagos.example')
      const card = await addCard(bola, stripe)
      const asks = await addCard(bola, stripe, 'pm_card_authenticationRequired')
      expect(await refill(bola, 5000, card.id)).toMatchObject({ code: 0 })
      const asked = await refill(bola, 2000, asks.id)
      expect(asked.data.client_token).not.toBeNull()
      const webhook = stripe.webhook('payment_intent.succeeded', stripe.intents()[0] ?? '')
      expect((await send(base, webhook)).status).toBe(200)
      expect((await send(base, { ...webhook, signature: 't=1,v1=00' })).status).toBe(400)
      for (const mode of ['broken', 'locked', 'limited'] as const) {
        stripe.mode = mode
        await bola.call('GET', '/v1/payment-method/add')
      }
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('exit', resolve))
      expect(log).toContain('payments: Stripe could not carry out')
      const secrets = [
        stripe.secretKey,
        stripe.webhookSecret,
        PUBLISHABLE,
        card.clientToken,
        asked.data.client_token ?? '',
        webhook.signature,
      ]
      for (const secret of secrets) expect(log.includes(secret), secret.slice(0, 8)).toBe(false)
      expect(log).not.toContain('_secret_')
    } finally {
      child.kill('SIGKILL')
      await database.drop()
      await stripe.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
