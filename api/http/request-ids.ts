import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import type { Asker } from '#platform/database/lanes'

/** The names of one request in answers, log lines and events. */
export type RequestIds = {
  /** `X-Request-Id` of the caller, or a new one. */
  readonly reqId: string
  /** 32 hexadecimal digits: of the caller's `traceparent`, or new. */
  readonly traceId: string
}

/** Trace context of W3C, level 1: the trace, this request's own span, and whether the trace is recorded. */
type Trace = {
  readonly traceId: string
  readonly spanId: string
  /** The caller's `traceparent`; null where the trace begins here. */
  readonly parent: string | null
  readonly isSampled: boolean
}

const ACCEPTED = /^[\w.-]{1,64}$/
/** Crockford's base 32: nothing in it is mistaken for another character on the phone. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The caller's id when it is 1 to 64 characters of `[A-Za-z0-9._-]`, else a new one. */
export const requestIdOf = (sent: string | readonly string[] | undefined): string =>
  typeof sent === 'string' && ACCEPTED.test(sent) ? sent : newRequestId()

/** 80 random bits, as support reads them out: `7F3A-9KQ2-XW4D-M8TC`. */
const newRequestId = (): string =>
  Array.from(randomBytes(16), (byte, i) => (i > 0 && i % 4 === 0 ? '-' : '') + DIGITS.charAt(byte % 32)).join('')

const hex = (bytes: number): string => randomBytes(bytes).toString('hex')

/** Continues the caller's trace with a span of this request; begins a trace when there is none, or none that is valid. */
export function traceOf(sent: string | readonly string[] | undefined): Trace {
  const parts = typeof sent === 'string' ? /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(sent) : null
  const [, version = 'ff', traceId = '', parent = '', flags = '', more] = parts ?? []
  const isValid = version !== 'ff' && /[^0]/.test(traceId) && /[^0]/.test(parent) && (version !== '00' || more === undefined)
  return isValid
    ? { traceId, spanId: hex(8), parent: `00-${traceId}-${parent}-${flags}`, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
    : { traceId: hex(16), spanId: hex(8), parent: null, isSampled: false }
}

const traces = new WeakMap<IncomingMessage, Trace>()

/** The trace of a request, the same each time. */
export function tracedOf(request: IncomingMessage): Trace {
  const known = traces.get(request)
  if (known !== undefined) return known
  const trace = traceOf(request.headers.traceparent)
  traces.set(request, trace)
  return trace
}

/** Requests whose trace this product records, or does not though its caller does; others are the caller's. */
const own = new WeakSet<IncomingMessage>()

/** Notes whether the product records the trace of a request itself. */
export function noteRecorded(request: IncomingMessage, isSampled: boolean): void {
  traces.set(request, { ...tracedOf(request), isSampled })
  own.add(request)
}

const traceparentOf = ({ traceId, spanId, isSampled }: Trace): string => `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

type Identified = { readonly id: string; readonly raw: IncomingMessage }

export const idsOf = ({ id, raw }: Identified): RequestIds => ({ reqId: id, traceId: tracedOf(raw).traceId })

/** Context of the work of a request: its log lines and events, and its span where it has one. */
export const partOf = (request: Identified): Pick<Asker, 'request' | 'trace'> => ({
  request: idsOf(request),
  ...(own.has(request.raw) ? { trace: traceparentOf(tracedOf(request.raw)) } : {}),
})

/** Options of a server whose requests and log lines have these ids. */
export const IDENTIFIED = {
  genReqId: (request) => requestIdOf(request.headers['x-request-id']),
  childLoggerFactory: (logger, bindings, options, request) =>
    logger.child({ ...bindings, traceId: tracedOf(request).traceId }, options),
} satisfies Pick<FastifyServerOptions, 'genReqId' | 'childLoggerFactory'>

/** Sets the headers. On the raw answer: errors, files and streams keep them whatever they replace. */
export function nameAnswer(request: Identified, answer: ServerResponse): void {
  answer.setHeader('X-Request-Id', request.id)
  answer.setHeader('traceparent', traceparentOf(tracedOf(request.raw)))
}

/** Returns the ids with every answer. Comes before the hooks that may refuse a request. */
export function installRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    nameAnswer(request, reply.raw)
    done()
  })
}
