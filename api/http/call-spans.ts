import type { FastifyInstance } from 'fastify'
import type { Tracing } from '#platform/telemetry/tracing'
import { atClose } from './at-close.ts'
import { isProbe } from './probes.ts'
import { failureOf } from './request-failures.ts'
import { noteRecorded, tracedOf } from './request-ids.ts'

/**
 * A span for each call, until its answer is sent or its client has left. It names the route, never an address of the client, a path, a query, a
 * header or a body. Comes before the hook that returns the ids: they say whether the trace is recorded.
 */
export function installCallSpans(app: FastifyInstance, beginCall: Tracing['beginCall']): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route } = request.routeOptions
    if (isProbe(route)) return done()
    const { traceId, spanId, parent } = tracedOf(request.raw)
    const span = beginCall({
      name: route === undefined ? request.method : `${request.method} ${route}`,
      traceId,
      spanId,
      parent,
      attributes: {
        'http.request.method': request.method,
        'placard.request_id': request.id,
        ...(route === undefined ? {} : { 'http.route': route }),
      },
    })
    noteRecorded(request.raw, span.isRecorded)
    atClose(reply.raw, () => {
      const { statusCode, writableFinished } = reply.raw
      const failed = statusCode >= 500
      span.end(
        {
          'http.response.status_code': statusCode,
          ...(failed ? { 'error.type': failureOf(request)?.name ?? String(statusCode) } : {}),
          ...(writableFinished ? {} : { 'placard.left': true }),
        },
        failed,
      )
    })
    done()
  })
}
