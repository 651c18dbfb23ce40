import { TooMany } from '#commands/refused'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Away } from '#eventstore/away'
import { AppendTooLarge } from '#eventstore/append-size'
import { StreamBusy } from '#commands/handle'
import { CATALOGUE, type ErrorCode, type Fault, type Rejection } from '#domain/kit/errors'
import { isLostConnection } from '#eventstore/postgres/connection-loss'
import { WARNINGS_HEADER } from '#contract/files'
import { asksAsClient, clientError, isBasic } from './client-credentials.ts'
import { nameAnswer } from './request-ids.ts'
import { noteFailure } from './request-failures.ts'
import { ReadModelsBehind } from '#projections/catch-up'
import { Refused } from '#commands/refused'

/** The envelope of every JSON answer, and the one place where errors become answers (running.md "The wire"). */

export const success = (data: unknown) => ({ type: { code: 0, key: CATALOGUE[0].key, message: CATALOGUE[0].message }, data })

export function failure({ code, faults, message }: Rejection, data: object = {}) {
  const entry = CATALOGUE[code]
  return { type: { code, key: entry.key, message: message ?? entry.message }, data: { ...data, errors: [...faults] } }
}

/** Data that names the position of the log which shows it. */
export const isPositioned = (data: unknown): data is { readonly position: string } =>
  typeof data === 'object' && data !== null && 'position' in data && typeof data.position === 'string'

/** Sends a refusal. */
export type SendRefusal = (reply: FastifyReply, rejection: Rejection, status: number, data?: object) => FastifyReply

const send: SendRefusal = (reply, rejection, status, data = {}) => {
  const isClient = asksAsClient(reply.request)
  // The scheme that the client tried (RFC 6749 section 5.2).
  const scheme = isClient && isBasic(reply.request) ? 'Basic realm="Placard"' : 'Bearer'
  if (status === 401) void reply.header('WWW-Authenticate', scheme)
  // For whom a screen or a script shows the body of an error, and no header: support finds the log lines by it.
  const named = status >= 500 ? { ...data, request_id: reply.request.id } : data
  const answer = failure(rejection, named)
  const forClients = isClient ? clientError(rejection, status, answer.type.message) : {}
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send({ ...answer, ...forClients })
}

/** Faults of the framework: code 2, or 1 when the server is at its limit (fine print 25). */
function frameworkFault(error: FastifyError): { readonly rejection: Rejection; readonly status: number } | null {
  const status = error.statusCode ?? 500
  if (status >= 500 && status !== 503) return null
  const code: ErrorCode = status === 503 ? 1 : 2
  const known = WORDS[error.code]
  const fault: Fault = { path: known?.path ?? 'body', code, message: known?.message ?? CATALOGUE[code].message }
  return { rejection: { code, faults: [fault] }, status }
}

const WORDS: Readonly<Record<string, { readonly path: string; readonly message: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { path: 'body', message: 'The request body is too large' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { path: 'content-type', message: 'This content type is not supported' },
  FST_ERR_CTP_INVALID_JSON_BODY: { path: 'body', message: 'The request body is not valid JSON' },
  RANGE_BEYOND: { path: 'Range', message: 'The file ends before this range' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { path: 'body', message: 'The request body is empty' },
}

/** Headers that describe content: a route sets some before its content is read. */
const OF_CONTENT = ['ETag', 'Last-Modified', 'Expires', 'Accept-Ranges', 'Content-Disposition', WARNINGS_HEADER, 'X-Members']

/** Installs error answers. */
export function installErrors(app: FastifyInstance): void {
  // A cache must keep no error, and never under the name or the tag of the content that was asked for.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode < 400) return
    for (const header of OF_CONTENT) void reply.removeHeader(header)
    if (reply.statusCode !== 416) void reply.removeHeader('Content-Range')
    void reply.header('Cache-Control', 'no-store')
  })
  app.setErrorHandler(errorHandler(send))
}

/** Answers errors by a sender of refusals. Internal ones are logged and answered with code 1, without details. */
export const errorHandler =
  (send: SendRefusal) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const isAway = error instanceof Away || isLostConnection(error)
    if (isAway || error instanceof StreamBusy || error instanceof ReadModelsBehind) {
      // Want of a connection is no outage: no other line says whose requests it refuses.
      noteFailure(request, { name: error.name, isReported: isAway && error.name !== 'PoolBusy' })
      return send(reply.header('Retry-After', '1'), { code: 1, faults: [] }, 503)
    }
    if (error instanceof AppendTooLarge) {
      const message = 'The changes are too large to be stored together; save them in several parts'
      return send(reply, { code: 2, faults: [{ path: 'body', code: 2, message }] }, 413)
    }
    if (error instanceof TooMany) {
      const faults = [{ path: '', code: 2, message: 'Too many requests, try again later' }] as const
      return send(reply.header('Retry-After', String(error.seconds)), { code: 2, faults }, 429)
    }
    if (error instanceof Refused) {
      // A refusal outside may be on record here.
      if (isPositioned(error.data)) void reply.header('X-Position', error.data.position)
      return send(reply, error.rejection, CATALOGUE[error.rejection.code].http, error.data)
    }
    const fault = frameworkFault(error)
    if (fault !== null) return send(reply, fault.rejection, fault.status)
    noteFailure(request, { name: error.name, isReported: false })
    request.log.error(error)
    return send(reply, { code: 1, faults: [] }, 500)
  }

/** For errors before any hook has run, such as an unreadable address: the envelope, and the header that hooks would set. */
export function misaddressed(error: FastifyError, reply: FastifyReply): FastifyReply {
  nameAnswer(reply.request, reply.raw)
  void reply.headers({ 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' })
  const status = error.statusCode ?? 400
  return send(reply, { code: 2, faults: [{ path: 'path', code: 2, message: 'This address cannot be read' }] }, status)
}

/** For a host name that is not served here. */
export const misdirected = (reply: FastifyReply): FastifyReply =>
  send(reply, { code: 2, faults: [{ path: 'Host', code: 2, message: 'This host name is not served here' }] }, 421)

/** A Host that names no one host: a proxy in front may have read another one out of it (RFC 9112 section 3.2). */
export const ambiguousHost = (reply: FastifyReply): FastifyReply =>
  send(reply, { code: 2, faults: [{ path: 'Host', code: 2, message: 'A request names one host' }] }, 400)

export function notFound(reply: FastifyReply, allowed: readonly string[]): FastifyReply {
  if (allowed.length > 0) {
    void reply.header('Allow', allowed.join(', '))
    return send(reply, { code: 2, faults: [{ path: 'method', code: 2, message: 'This method is not supported here' }] }, 405)
  }
  return send(reply, { code: 2, faults: [{ path: 'path', code: 2, message: 'There is no such call' }] }, 404)
}
