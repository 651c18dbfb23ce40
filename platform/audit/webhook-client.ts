import { createHmac } from 'node:crypto'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { SendWebhook, WebhookMessage } from '#commands/audit/webhook-port'
import { addressFault, publicLookup, UnknownName } from '../outgoing/public-network.ts'

/** A receiver that has not answered after this long is tried again, milliseconds. */
const WITHIN_MS = 10_000
/** Bytes of an answer that are read, and ignored. */
const MOST_OF_ANSWER = 16_384
const SECRET_PREFIX = 'whsec_'

/** The secret of a generation of a webhook: derived, so that none is stored. */
export const webhookSecret = (master: string, id: string, generation: number): string =>
  SECRET_PREFIX + createHmac('sha256', master).update(`webhook ${id} ${generation}`).digest('base64')

/** Headers of the Standard Webhooks specification, with a signature by each secret. */
export function signedHeaders(
  { id, body }: WebhookMessage,
  secrets: readonly string[],
  seconds: number,
): Readonly<Record<string, string>> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') }
}

export type WebhookClientOptions = {
  /** Allows private networks and plain http. */
  readonly allowPrivate: boolean
  /** Certificates that are trusted; those of Node.js by default. */
  readonly ca?: string
  /** Resolves names; checked all the same. */
  readonly lookup?: LookupFunction
  readonly withinMs?: number
}

/** Posts messages, each on its own connection. Redirects are answers like any other. */
export function createWebhookClient({ allowPrivate, ca, withinMs = WITHIN_MS, ...options }: WebhookClientOptions): SendWebhook {
  return async (url, message, secrets, signal) => {
    const fault = addressFault(url, allowPrivate)
    if (fault !== null) return { status: null, error: fault }
    const target = new URL(url)
    const within = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
    try {
      const status = await new Promise<number>((resolve, reject) => {
        const send = target.protocol === 'https:' ? requestHttps : requestHttp
        const sent = send(target, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(message.body),
            'user-agent': 'Placard-Webhooks',
            ...signedHeaders(message, secrets, Math.floor(Date.now() / 1000)),
          },
          agent: false,
          signal: within,
          ...(ca === undefined ? {} : { ca }),
          ...(allowPrivate ? {} : { lookup: options.lookup ?? publicLookup }),
        })
        sent.on('error', reject)
        sent.on('response', (response) => void drained(response).then(() => resolve(response.statusCode ?? 0)))
        sent.end(message.body)
      })
      return { status, error: null }
    } catch (error) {
      signal.throwIfAborted()
      return { status: null, error: reasonOf(error, withinMs) }
    }
  }
}

/** Resolves at the end of an answer, or where it is too long; its status counts. */
function drained(response: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MOST_OF_ANSWER) response.destroy()
    })
    response.on('error', () => undefined)
    response.on('close', () => resolve())
  })
}

/** For the owner of the webhook: nothing about this machine. */
function reasonOf(error: unknown, withinMs: number): string {
  if (error instanceof UnknownName) return error.message
  if (!(error instanceof Error)) return 'The connection failed'
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `No answer within ${withinMs / 1000} seconds`
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  return code === null ? 'The connection failed' : `The connection failed: ${code}`
}
