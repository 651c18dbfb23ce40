import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { TEST_CARDS } from '#domain/payment/test-cards'

/** Stripe's HTTP API in this process, as far as Placard uses it: keys, versions, idempotency, declines, refunds, disputes, webhooks. */
export type StripeDouble = {
  readonly url: string
  readonly secretKey: string
  readonly webhookSecret: string
  /** `Stripe-Version` of every request. */
  readonly versions: ReadonlySet<string>
  /** How often each path was asked, such as `POST /v1/payment_intents`. */
  readonly asked: (request: string) => number
  /** Enters this test card, as Stripe's form in the browser does. Returns the card's id. */
  readonly confirmSetup: (setupId: string, testId: string) => string
  /** Confirms as the bank's page does. */
  readonly confirmation: (intentId: string, outcome: 'complete' | 'fail') => void
  readonly refund: (intentId: string, minor: number) => string
  /** The bank of the card does not take the refund: its money comes back. */
  readonly failRefund: (refundId: string) => void
  /** Answers requests such as `POST /v1/payment_intents` with this fault until it is withdrawn by null. */
  readonly fault: (request: RegExp, fault: Fault | null) => void
  /** Forgets idempotency keys, as Stripe does after a day. */
  readonly forgetKeys: () => void
  readonly deleteCustomers: () => void
  /** A payment that another system made with the same account. */
  readonly foreignIntent: () => { readonly id: string }
  readonly dispute: (intentId: string, status: 'needs_response' | 'won' | 'lost') => string
  /** All that the payments brought and kept, minor units. */
  readonly kept: () => number
  readonly intents: () => readonly string[]
  /** A webhook call as Stripe sends it. */
  readonly webhook: (type: string, intentId: string, options?: { readonly id?: string; readonly secondsAgo?: number }) => Webhook
  /** `frozen` accepts connections and answers nothing; `limited` answers 429, `broken` 500, `locked` refuses the key. */
  mode: 'up' | 'frozen' | 'limited' | 'broken' | 'locked'
  readonly stop: () => Promise<void>
}
export type Webhook = { readonly body: string; readonly signature: string }

/** A fault that only has `afterMs` delays the real answer. */
export type Fault = {
  readonly status?: number
  readonly type?: string
  readonly code?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Carries the request out and then answers with the fault. */
  readonly done?: boolean
  /** Answers after this long, milliseconds. */
  readonly afterMs?: number
}
type Fields = Readonly<Record<string, string>>
type Answer = { readonly status: number; readonly body: unknown }
type Intent = {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly customer: string
  readonly metadata: Record<string, string>
  method: string
  status: string
  failure: { readonly code: string; readonly decline_code?: string } | null
  refunds: { readonly id: string; readonly amount: number; status: string }[]
  disputes: { readonly id: string; readonly amount: number; status: string }[]
}

const DECLINES: Readonly<Record<string, Intent['failure']>> = {
  card_declined: { code: 'card_declined', decline_code: 'generic_decline' },
  insufficient_funds: { code: 'card_declined', decline_code: 'insufficient_funds' },
  expired_card: { code: 'expired_card', decline_code: 'expired_card' },
}

const refusal = (status: number, type: string, code: string, more: object = {}): Answer => ({
  status,
  body: { error: { type, code, message: `refused: ${code}`, ...more } },
})
const missing = refusal(404, 'invalid_request_error', 'resource_missing')
const ok = (body: unknown): Answer => ({ status: 200, body })

const REQUEST_ID = 'req_double'

export async function startStripeDouble({ secretKey = 'sk_test_double0123456789abcdef' } = {}): Promise<StripeDouble> {
  const webhookSecret = 'whsec_double0123456789abcdef'
  const versions = new Set<string>()
  const counts = new Map<string, number>()
  const intents = new Map<string, Intent>()
  const setups = new Map<string, { readonly customer: string; method: string | null; status: string }>()
  const customers = new Map<string, Fields>()
  const faults = new Map<string, { readonly request: RegExp; readonly fault: Fault }>()
  const methods = new Map<string, { readonly testId: string }>()
  const answered = new Map<string, { readonly request: string; readonly answer: Answer }>()
  let made = 0
  const newId = (kind: string) => `${kind}_double${(made += 1)}`

  const cardOf = (methodId: string) => TEST_CARDS.find(({ id }) => id === methods.get(methodId)?.testId)
  const methodOf = (id: string) => {
    const card = cardOf(id)
    return {
      id,
      object: 'payment_method',
      billing_details: { name: 'Bola Adeyemi' },
      card: {
        brand: card?.brand,
        display_brand: card?.brand === 'amex' ? 'american_express' : card?.brand,
        last4: card?.last4,
        exp_month: 12,
        exp_year: new Date().getUTCFullYear() + 3,
        country: 'US',
        funding: 'credit',
        fingerprint: `print_${card?.id}`,
      },
    }
  }
  const intentOut = (intent: Intent) => ({
    id: intent.id,
    object: 'payment_intent',
    amount: intent.amount,
    currency: intent.currency,
    customer: intent.customer,
    metadata: intent.metadata,
    status: intent.status,
    client_secret: `${intent.id}_secret_double`,
    last_payment_error: intent.failure === null ? null : { type: 'card_error', ...intent.failure },
    latest_charge:
      intent.status === 'succeeded'
        ? {
            id: `ch_${intent.id}`,
            amount_refunded: intent.refunds.reduce((sum, { amount, status }) => sum + (status === 'succeeded' ? amount : 0), 0),
            disputed: intent.disputes.length > 0,
          }
        : null,
  })

  function confirm(intent: Intent, { off_session }: Fields): Answer {
    if (intent.status !== 'requires_confirmation') return refusal(400, 'invalid_request_error', 'payment_intent_unexpected_state')
    const outcome = cardOf(intent.method)?.outcome ?? 'card_declined'
    if (outcome === 'succeeds') intent.status = 'succeeded'
    else if (outcome === 'asks' && off_session !== 'true') intent.status = 'requires_action'
    else {
      intent.failure =
        outcome === 'asks'
          ? { code: 'authentication_required', decline_code: 'authentication_required' }
          : (DECLINES[outcome] ?? null)
      intent.status = 'requires_payment_method'
      return refusal(402, 'card_error', intent.failure?.code ?? '', { ...intent.failure, payment_intent: intentOut(intent) })
    }
    return ok(intentOut(intent))
  }

  function answer(method: string, path: string, fields: Fields): Answer {
    const [, , kind = '', id = '', action = ''] = path.split('/')
    if (kind === 'balance') return ok({ object: 'balance', available: [], pending: [] })
    if (kind === 'customers') {
      const customer = newId('cus')
      customers.set(customer, metadataIn(fields))
      return ok({ id: customer, object: 'customer', metadata: metadataIn(fields) })
    }
    const named = fields['customer']
    if (named !== undefined && !customers.has(named))
      return refusal(400, 'invalid_request_error', 'resource_missing', { param: 'customer' })
    if (kind === 'setup_intents' && id === '') {
      const setupId = newId('seti')
      setups.set(setupId, { customer: fields['customer'] ?? '', method: null, status: 'requires_payment_method' })
      return ok({
        id: setupId,
        object: 'setup_intent',
        client_secret: `${setupId}_secret_double`,
        created: Math.floor(Date.now() / 1000),
      })
    }
    if (kind === 'setup_intents') {
      const setup = setups.get(id)
      if (setup === undefined) return missing
      const payment_method = setup.method === null ? null : methodOf(setup.method)
      return ok({ id, object: 'setup_intent', status: setup.status, customer: setup.customer, payment_method })
    }
    if (kind === 'payment_methods' && action === 'detach') return methods.has(id) ? ok(methodOf(id)) : missing
    if (kind === 'payment_intents' && id === '' && method === 'GET') {
      const newest = [...intents.values()].toReversed()
      const after = newest.findIndex((intent) => intent.id === fields['starting_after']) + 1
      const page = newest.slice(after, after + Number(fields['limit'] ?? 10))
      const data = page.map((intent) => ({
        ...intentOut(intent),
        customer: { id: intent.customer, object: 'customer', metadata: customers.get(intent.customer) ?? {} },
        payment_method: intent.method,
      }))
      return ok({ object: 'list', url: path, data, has_more: after + page.length < newest.length })
    }
    if (kind === 'payment_intents' && id === '') {
      const intent: Intent = {
        id: newId('pi'),
        amount: Number(fields['amount']),
        currency: fields['currency'] ?? '',
        customer: fields['customer'] ?? '',
        metadata: metadataIn(fields),
        method: fields['payment_method'] ?? '',
        status: 'requires_confirmation',
        failure: null,
        refunds: [],
        disputes: [],
      }
      if (!Number.isSafeInteger(intent.amount)) return refusal(400, 'invalid_request_error', 'parameter_invalid_integer')
      intents.set(intent.id, intent)
      return ok(intentOut(intent))
    }
    if (kind === 'payment_intents') {
      const intent = intents.get(id)
      if (intent === undefined) return missing
      if (method === 'GET') return ok(intentOut(intent))
      if (action === 'confirm') return confirm(intent, fields)
      if (intent.status === 'succeeded') return refusal(400, 'invalid_request_error', 'payment_intent_unexpected_state')
      intent.status = 'canceled'
      return ok(intentOut(intent))
    }
    const of = intents.get(fields['payment_intent'] ?? '')
    const data = kind === 'refunds' ? of?.refunds : kind === 'disputes' ? of?.disputes : undefined
    return data === undefined ? missing : ok({ object: 'list', data, has_more: false })
  }

  const faultOf = (method: string, path: string) =>
    [...faults.values()].find(({ request }) => request.test(`${method} ${path}`))?.fault ?? null

  function faulty(method: string, path: string): Answer | null {
    const fault = faultOf(method, path)
    if (fault === null || fault.done === true || fault.status === undefined) return null
    const { status, type = '', code = type } = fault
    return refusal(status, type, code)
  }

  /** The same key and request get the same answer; another request under the key is refused. */
  function once(request: IncomingMessage, method: string, path: string, fields: Fields): Answer {
    const key = request.headers['idempotency-key']
    if (method !== 'POST' || typeof key !== 'string') return faulty(method, path) ?? answer(method, path, fields)
    const text = JSON.stringify([path, fields])
    const known = answered.get(key)
    if (known !== undefined)
      return known.request === text ? known.answer : refusal(400, 'idempotency_error', 'idempotency_key_reused')
    const fresh = faulty(method, path) ?? answer(method, path, fields)
    // Stripe keeps what a request came to, its own faults included, but neither limits nor refusals of keys.
    if ([401, 403, 409, 429].includes(fresh.status)) return fresh
    answered.set(key, { request: text, answer: fresh })
    return fresh
  }

  const double = { mode: 'up' as StripeDouble['mode'] }
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://double')
      const method = request.method ?? 'GET'
      const asked = `${method} ${url.pathname}`
      counts.set(asked, (counts.get(asked) ?? 0) + 1)
      versions.add(String(request.headers['stripe-version']))
      if (double.mode === 'frozen') return
      const fields = Object.fromEntries(new URLSearchParams(method === 'GET' ? url.search : Buffer.concat(chunks).toString()))
      const isKnown = request.headers.authorization === `Bearer ${secretKey}` && double.mode !== 'locked'
      const fault = faultOf(method, url.pathname)
      const { status, body } = !isKnown
        ? refusal(401, 'invalid_request_error', 'api_key_expired')
        : double.mode === 'limited'
          ? refusal(429, 'invalid_request_error', 'rate_limit')
          : double.mode === 'broken'
            ? refusal(500, 'api_error', 'broken')
            : once(request, method, url.pathname, fields)
      const send = () => {
        response.writeHead(fault?.done === true ? (fault.status ?? status) : status, {
          'content-type': 'application/json',
          'request-id': REQUEST_ID,
          ...fault?.headers,
        })
        response.end(JSON.stringify(fault?.done === true ? { error: { type: fault.type, code: fault.code } } : body))
      }
      if (fault?.afterMs === undefined) send()
      else setTimeout(send, fault.afterMs).unref()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: bound } = server.address() as AddressInfo
  const signer = new Stripe(secretKey)
  const intentOf = (id: string): Intent => {
    const intent = intents.get(id)
    if (intent === undefined) throw new Error(`the double has no payment ${id}`)
    return intent
  }

  return Object.assign(double, {
    url: `http://127.0.0.1:${bound}`,
    secretKey,
    webhookSecret,
    versions,
    asked: (request: string) => counts.get(request) ?? 0,
    confirmSetup(setupId: string, testId: string) {
      const setup = setups.get(setupId)
      if (setup === undefined) throw new Error(`the double has no setup ${setupId}`)
      const id = newId('pm')
      methods.set(id, { testId })
      Object.assign(setup, { method: id, status: 'succeeded' })
      return id
    },
    confirmation(intentId: string, outcome: 'complete' | 'fail') {
      const intent = intentOf(intentId)
      if (intent.status !== 'requires_action') return
      intent.status = outcome === 'complete' ? 'succeeded' : 'requires_payment_method'
      if (outcome === 'fail') intent.failure = { code: 'payment_intent_authentication_failure' }
    },
    refund(intentId: string, amount: number) {
      const id = newId('re')
      intentOf(intentId).refunds.push({ id, amount, status: 'succeeded' })
      return id
    },
    failRefund(refundId: string) {
      for (const { refunds } of intents.values()) for (const one of refunds) if (one.id === refundId) one.status = 'failed'
    },
    fault(request: RegExp, fault: Fault | null) {
      if (fault === null) faults.delete(String(request))
      else faults.set(String(request), { request, fault })
    },
    forgetKeys: () => answered.clear(),
    deleteCustomers: () => customers.clear(),
    foreignIntent() {
      const metadata = { payment_id: 'order-17' }
      const none = { metadata, method: '', failure: null, refunds: [], disputes: [] }
      const intent: Intent = { ...none, id: newId('pi'), amount: 900, currency: 'usd', customer: '', status: 'succeeded' }
      intents.set(intent.id, intent)
      return intent
    },
    dispute(intentId: string, status: string) {
      const intent = intentOf(intentId)
      const [known] = intent.disputes
      if (known !== undefined) known.status = status
      else intent.disputes.push({ id: newId('dp'), amount: intent.amount, status })
      return intent.disputes[0]?.id ?? ''
    },
    kept: () =>
      [...intents.values()]
        .filter(({ status }) => status === 'succeeded')
        .reduce(
          (sum, { amount, refunds, disputes }) =>
            sum +
            amount -
            refunds.reduce((all, refund) => all + (refund.status === 'succeeded' ? refund.amount : 0), 0) -
            disputes.filter(({ status }) => status !== 'won').reduce((all, dispute) => all + dispute.amount, 0),
          0,
        ),
    intents: () => [...intents.keys()],
    webhook(type: string, intentId: string, { id = newId('evt'), secondsAgo = 0 } = {}) {
      const object = type.startsWith('payment_intent.')
        ? intentOut(intentOf(intentId))
        : { id: newId('ch'), payment_intent: intentId }
      const body = JSON.stringify({ id, object: 'event', type, data: { object } })
      const timestamp = Math.floor(Date.now() / 1000) - secondsAgo
      const signature = signer.webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret, timestamp })
      return { body, signature }
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

function metadataIn(fields: Fields): Record<string, string> {
  const entries = Object.entries(fields).flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(entries)
}
