import type { IncomingMessage } from 'node:http'
import type { Stripe } from 'stripe'

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>

/** Longest answer, bytes: a page of 100 refunds or disputes is some 300 kB. */
const MOST_BYTES = 4 * 2 ** 20

/** Objects that a path of the API answers with, by its first segment; a list where nothing else is created or named. */
const OBJECTS: Readonly<Record<string, readonly string[]>> = {
  balance: ['balance'],
  customers: ['customer'],
  disputes: ['list', 'dispute'],
  payment_intents: ['list', 'payment_intent'],
  payment_methods: ['payment_method'],
  refunds: ['list', 'refund'],
  setup_intents: ['setup_intent'],
}

/**
 * Refuses answers that are none of Stripe's, such as the page of a proxy with status 200: the SDK takes any JSON, and fails outside of
 * every promise for one that is no object. It reports the refusal as an error of the API.
 */
export function checkedClient(client: HttpClient): HttpClient {
  const makeRequest: HttpClient['makeRequest'] = async (...request) => {
    const response = await client.makeRequest(...request)
    const read = response.toJSON.bind(response)
    response.toJSON = () => {
      const body: Promise<unknown> = read()
      limit(response.getRawResponse() as IncomingMessage)
      return body.then((answer) => checked(answer, request[2]))
    }
    return response
  }
  return Object.assign(Object.create(client) as HttpClient, { makeRequest })
}

/** Ends the connection of an answer that is too long: for the SDK, Stripe is away. */
function limit(response: IncomingMessage): void {
  let length = 0
  response.on('data', (part: string | Buffer) => {
    length += part.length
    if (length > MOST_BYTES) response.destroy(new Error(`the answer is longer than ${MOST_BYTES} bytes`))
  })
}

function checked(body: unknown, path: string): object {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Error('the answer is no object')
  if ('error' in body && typeof body.error === 'object' && body.error !== null) return body
  const [, , resource = ''] = path.split(/[/?]/)
  const isKnown = 'object' in body && typeof body.object === 'string' && (OBJECTS[resource]?.includes(body.object) ?? true)
  const isNamed =
    'id' in body ? typeof body.id === 'string' : resource === 'balance' || ('data' in body && Array.isArray(body.data))
  if (!isKnown || !isNamed) throw new Error('the answer is no object of Stripe')
  return body
}
