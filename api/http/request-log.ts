import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Identity } from '#commands/identity/identity'
import { atClose } from './at-close.ts'
import { identityOf } from './register.ts'
import { isProbe } from './probes.ts'
import { failureOf } from './request-failures.ts'
import { idsOf } from './request-ids.ts'

export type RequestLog = {
  /** Writes one line. */
  readonly write: (line: object, message: string) => void
  /** Part of the other requests that gets a line, from 0 to 1. */
  readonly share: number
  /** From this time to answer on a request always gets a line, milliseconds. */
  readonly slowMs: number
  /** From 0 to 1; tests choose it. */
  readonly random?: () => number
}

const ID = /^(\d{1,19}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i

/**
 * One line for each request that failed with 5xx or was slow, and for a share of the others. It names the route and the caller by id, never an
 * address of the client, a query, a body, a header or a part of the path that is no id: those may hold secrets or personal data.
 * Requests that fail because something outside is away are others: the log reports an outage once (running.md).
 */
export function installRequestLog(app: FastifyInstance, { write, share, slowMs, random = Math.random }: RequestLog): void {
  function log(request: FastifyRequest, reply: FastifyReply, isComplete: boolean): void {
    const { config, url: route = 'unknown' } = request.routeOptions
    const failure = failureOf(request)
    const isStream = 'isStream' in config && config.isStream === true
    const failed = reply.statusCode >= 500 && failure?.isReported !== true && !(isProbe(route) && reply.statusCode === 503)
    // A stream stays open by design.
    const slow = !isStream && reply.elapsedTime >= slowMs
    if (!failed && !slow && (isProbe(route) || random() >= share)) return
    const bytes = reply.getHeader('content-length')
    write(
      {
        ...idsOf(request),
        method: request.method,
        route,
        ...idIn(request.params),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(bytes === undefined ? {} : { bytes: Number(bytes) }),
        ...callerIn(identityOf(request)),
        ...(failure === undefined ? {} : { failure: failure.name }),
        ...(isComplete ? {} : { left: true }),
      },
      'request',
    )
  }

  const answered = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', (request, reply, done) => {
    // Nothing else shows that a client left before the end of its answer.
    atClose(reply.raw, () => setImmediate(() => answered.has(request) || log(request, reply, false)))
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    answered.add(request)
    log(request, reply, true)
    done()
  })
}

/** The id of the record in the path. Other parameters, such as a token, never. */
function idIn(params: unknown): { readonly id?: string } {
  const id = typeof params === 'object' && params !== null && 'id' in params ? params.id : undefined
  return typeof id === 'string' && ID.test(id) ? { id } : {}
}

function callerIn(identity: Identity): object {
  if (identity.kind === 'person') return { user: identity.actor.userId, space: identity.actor.spaceId }
  if (identity.kind === 'directory') return { credential: identity.token.id }
  return identity.kind === 'service' ? { credential: identity.credential?.id ?? 'service-token' } : {}
}
