import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { addressFault, PRIVATE, PrivateNetwork, publicLookup } from './public-network.ts'

/** A server that has not answered by then counts as away, milliseconds. */
const WITHIN_MS = 8000
/** Longest answer, bytes. */
const MOST_BYTES = 512 * 1024
/** Statuses whose answers have no body. */
const EMPTY = [101, 204, 205, 304]

export type GuardedFetchOptions = {
  /** Allows private networks and plain http. */
  readonly allowPrivate: boolean
  /** Allows plain http on the public internet too. */
  readonly plainHttp?: boolean
  /** Answers with status and headers alone, and ends the connection: the body may have any length. */
  readonly headersOnly?: boolean
  /** Resolves names; checked all the same. */
  readonly lookup?: LookupFunction
  readonly withinMs?: number
}

type Sent = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}
export type GuardedFetch = (url: string, sent?: Sent) => Promise<Response>

/**
 * Fetches from an address that a user of the product entered: bounded in time and size, without redirects, and only from the public
 * internet unless private networks are allowed. Rejects when the server is away or may not be reached.
 */
export const createGuardedFetch =
  ({
    allowPrivate,
    plainHttp = allowPrivate,
    headersOnly = false,
    lookup = publicLookup,
    withinMs = WITHIN_MS,
  }: GuardedFetchOptions): GuardedFetch =>
  async (url, { method = 'GET', headers = {}, body, signal } = {}) => {
    const fault = addressFault(url, allowPrivate, plainHttp)
    if (fault !== null) throw fault === PRIVATE ? new PrivateNetwork(fault) : new Error(fault)
    const target = new URL(url)
    const within = AbortSignal.any([AbortSignal.timeout(withinMs), ...(signal === undefined ? [] : [signal])])
    const text = body === undefined || body === null ? null : textOf(body)
    return new Promise((resolve, reject) => {
      const send = target.protocol === 'https:' ? requestHttps : requestHttp
      const sent = send(target, {
        method,
        headers: { ...headers, ...(text === null ? {} : { 'content-length': String(Buffer.byteLength(text)) }) },
        agent: false,
        signal: within,
        ...(allowPrivate ? {} : { lookup }),
      })
      sent.on('error', reject)
      sent.on('response', (response) => {
        // A promise in both cases: an error in a listener would end the process.
        void (headersOnly ? headersOf(response) : answerOf(response)).then(resolve, reject)
      })
      sent.end(text ?? undefined)
    })
  }

/** Bodies of OpenID Connect are forms. */
function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new Error('only texts and forms are sent')
}

async function headersOf(response: IncomingMessage): Promise<Response> {
  // Its connection ends: its result is not needed.
  response.on('error', () => undefined)
  response.destroy()
  return answerWith(response, null)
}

async function answerOf(response: IncomingMessage): Promise<Response> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MOST_BYTES) {
      response.destroy()
      throw new Error(`the answer is longer than ${MOST_BYTES} bytes`)
    }
    parts.push(part)
  }
  return answerWith(response, Buffer.concat(parts))
}

function answerWith({ statusCode = 502, headers: received }: IncomingMessage, body: Buffer<ArrayBuffer> | null): Response {
  // Some servers refuse programs with a status that HTTP does not have, such as 999.
  const status = statusCode >= 200 && statusCode <= 599 ? statusCode : 400
  const headers = Object.entries(received).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) => (one === undefined ? [] : [[name, one] as [string, string]])),
  )
  return new Response(EMPTY.includes(status) ? null : body, { status, headers })
}
