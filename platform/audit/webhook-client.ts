import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { SendWebhook, WebhookMessage } from '#commands/audit/webhook-port'

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

/** Networks that are not the public internet: this machine, private and shared ones, link-local with its metadata services, tests. */
const NOT_PUBLIC = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [network = '', prefix] = range.split('/')
  NOT_PUBLIC.addSubnet(network, Number(prefix), 'ipv4')
}
// Within the one block of public IPv6: tunnels, which may lead to any IPv4 address, and documentation.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv6')
const PUBLIC_IPV6 = new BlockList()
PUBLIC_IPV6.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address is of the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !NOT_PUBLIC.check(address, 'ipv4')
  return family === 6 && PUBLIC_IPV6.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6')
}

const PRIVATE = 'The address leads to a network that webhooks must not reach'
class PrivateNetwork extends Error {}

/** Resolves a name for one connection, which is then made to the addresses that were checked: a second answer could be another one. */
const publicLookup: LookupFunction = (hostname, options, done) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return done(error, '')
    const [first] = addresses
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
      return done(new PrivateNetwork(PRIVATE), '')
    return options.all === true ? done(null, addresses) : done(null, first.address, first.family)
  })

export type WebhookClientOptions = {
  /** Allows private networks and plain http. */
  readonly allowPrivate: boolean
  /** Certificates that are trusted; those of Node.js by default. */
  readonly ca?: string
  /** Resolves names; checked all the same. */
  readonly lookup?: LookupFunction
  readonly withinMs?: number
}

/** Posts messages, each on a connection of its own. Redirects are answers like any other. */
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

/** What is wrong with an address before anything is resolved; null when nothing is. */
export function addressFault(url: string, allowPrivate: boolean): string | null {
  const target = URL.canParse(url) ? new URL(url) : null
  if (target === null || (target.protocol !== 'https:' && !(allowPrivate && target.protocol === 'http:')))
    return 'The address must begin with https://'
  if (target.username !== '' || target.password !== '') return 'The address must not hold a user name or password'
  const host = target.hostname.replace(/^\[|\]$/g, '')
  // A literal address is not resolved.
  return isIP(host) === 0 || allowPrivate || isPublicAddress(host) ? null : PRIVATE
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
  if (error instanceof PrivateNetwork) return PRIVATE
  if (!(error instanceof Error)) return 'The connection failed'
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `No answer within ${withinMs / 1000} seconds`
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  return code === null ? 'The connection failed' : `The connection failed: ${code}`
}
