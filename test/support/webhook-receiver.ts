import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { listenOn } from './ports.ts'
import { LOCAL } from './kurrent/certificates.ts'

export type ReceivedMessage = {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly type: string
  readonly positions: readonly string[]
  /** The status that it was answered with. */
  readonly status: number
}

/** How the receiver answers the next messages: a status, or the loss of the connection after it has read the message. */
export type Answer = { readonly status?: number; readonly afterMs?: number; readonly location?: string; readonly hangsUp?: true }

export type WebhookReceiver = {
  readonly url: string
  /** Every message with a complete body, in order. */
  readonly received: readonly ReceivedMessage[]
  /** Positions of entries in messages that were taken, in order. */
  readonly taken: () => readonly string[]
  readonly answers: (answer: Answer) => void
  readonly stop: () => Promise<void>
}

/** A receiver of webhooks over HTTP, or HTTPS on localhost with a certificate of the test CA. */
export async function startWebhookReceiver({ secure = false, port = 0 } = {}): Promise<WebhookReceiver> {
  const received: ReceivedMessage[] = []
  let answer: Answer = {}
  const server = (secure ? createSecureServer.bind(null, LOCAL) : createServer)((request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => undefined)
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      void (async () => {
        const { status = 204, afterMs = 0, location, hangsUp } = answer
        const text = Buffer.concat(chunks).toString()
        const { type, data } = JSON.parse(text)
        const positions = (data.entries ?? []).map(({ position }: { position: string }) => position)
        await delay(afterMs)
        const id = String(request.headers['webhook-id'])
        received.push({ id, headers: request.headers, text, type, positions, status: hangsUp === true ? 0 : status })
        if (hangsUp === true) request.socket.destroy()
        else response.writeHead(status, location === undefined ? {} : { location }).end()
      })()
    })
  })
  const bound = await listenOn(server, port)
  return {
    url: secure ? `https://localhost:${bound}/hook` : `http://127.0.0.1:${bound}/hook`,
    received,
    taken: () => received.filter(({ status }) => status >= 200 && status < 300).flatMap(({ positions }) => positions),
    answers: (next) => (answer = next),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Verifies a message by the specification alone, and by the library that its authors publish. */
export function isVerified({ headers, text }: ReceivedMessage, secret: string): boolean {
  const header = (name: string): string => String(headers[name])
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const wanted = createHmac('sha256', key)
    .update(`${header('webhook-id')}.${header('webhook-timestamp')}.${text}`)
    .digest()
  const own = header('webhook-signature')
    .split(' ')
    .some((one) => {
      const [version, signature = ''] = one.split(',')
      const given = Buffer.from(signature, 'base64')
      return version === 'v1' && given.length === wanted.length && timingSafeEqual(given, wanted)
    })
  const library = (() => {
    try {
      new Webhook(secret).verify(text, headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  })()
  if (own !== library) throw new Error('the library and the specification disagree')
  return own
}
