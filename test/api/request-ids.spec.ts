import { beforeAll, describe, expect, it } from 'vitest'
import { publishable, sharedProduct, type Session, type TestProduct } from '../support/product.ts'

type Entry = { readonly metadata: { readonly correlation: string } }

describe('the id of a request', () => {
  let product: TestProduct
  let ada: Session
  beforeAll(async () => {
    product = await sharedProduct()
    ada = await product.as('ada@nile.example')
  })

  it('the id of a request is on every answer: data, refusals, files, streams, health and metrics', async () => {
    const asked: readonly (readonly [path: string, status: number, token?: string, method?: string])[] = [
      ['/v1/user/me', 200, ada.token],
      ['/v1/user/me', 401],
      ['/v1/user/me', 401, 'wrong'],
      ['/v1/campaign/019b0000-0000-7000-8000-000000000000', 404, ada.token],
      ['/v1/audit/feed', 403, ada.token],
      ['/v1/nowhere', 404],
      ['/v1/payment/refill', 405, ada.token],
      ['/v1/%ff', 400],
      ['/v1/stream', 200, ada.token],
      ['/', 200],
      ['/app-config.js', 200],
      ['/assets/none.js', 404],
      ['/openapi.json', 200],
      ['/health/live', 200],
      ['/metrics', 200],
    ]
    for (const [path, status, token, method = 'GET'] of asked) {
      const stop = new AbortController()
      const { headers, ...answer } = await fetch(product.base + path, {
        method,
        signal: stop.signal,
        headers: { 'x-request-id': 'mine', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      }).then((response) => ({ headers: response.headers, status: response.status }))
      stop.abort()
      expect([path, answer.status, headers.get('x-request-id')]).toEqual([path, status, 'mine'])
      expect(headers.get('traceparent')).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-00$/)
    }
  })

  it('the id of a request is the correlation of the events of a command', async () => {
    const made = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada), {
      'x-request-id': 'build-17.first',
    })
    expect(made.status).toBe(200)
    const { rows } = await product.database.pool.query<Entry>('select metadata from es.events where stream_id = $1', [
      `campaign-${made.data.id}`,
    ])
    expect(rows.map(({ metadata }) => metadata.correlation)).toEqual(['build-17.first'])
  })

  // The charge of a card is recorded by the policy that also finishes it when the process of the call dies.
  it('the id of a request is the correlation of what the product records by itself during the call', async () => {
    type Setup = { readonly setup_id: string }
    const setup = await ada.call<Setup>('GET', '/v1/payment-method/add')
    const card = { setup_id: setup.data.setup_id, provider_method_id: 'pm_card_visa' }
    const added = await ada.call('POST', '/v1/payment-method', card)
    const body = { amount: 500, payment_method_id: added.data.id }
    expect((await ada.call('POST', '/v1/payment/refill', body, { 'x-request-id': 'refill-1' })).code).toBe(0)
    const { rows } = await product.database.pool.query<Entry & { readonly actor: string }>(
      `select metadata, metadata ->> 'actor' as actor from es.events where metadata ->> 'correlation' = 'refill-1'`,
    )
    expect(new Set(rows.map(({ actor }) => actor.startsWith('system:')))).toEqual(new Set([true, false]))
  })
})
