import type { FastifyInstance } from 'fastify'
import { sameSecret } from '#commands/identity/tokens'
import type { Metric } from '#platform/telemetry/otlp-metrics'
import { isLocalRequest } from './local-requests.ts'
import { createMetrics, type MetricsSources } from './metrics.ts'

export type HealthDeps = MetricsSources & {
  /** Names of the parts without which nothing works, and that are missing; empty when the process is ready. */
  readonly unready: () => Promise<readonly string[]>
  /** Read models that are behind the log, and purposes without a free connection: what needs them waits, everything else goes on. */
  readonly behind: () => Promise<readonly string[]>
  /** Sends the metrics elsewhere, from the start of the server on; null where they are only scraped. */
  readonly pushMetrics: ((collect: () => Promise<readonly Metric[]>) => void) | null
  readonly serviceToken: string
}

/** GET /health/live, /health/ready and /metrics (running.md). */
export function registerHealth(app: FastifyInstance, deps: HealthDeps): void {
  const { unready, behind, outside, serviceToken } = deps
  const { contentType, scrape, collect } = createMetrics(app, deps)
  deps.pushMetrics?.(collect)

  app.get('/health/live', async () => ({ status: 'ok' }))
  app.get('/health/ready', async (_request, reply) => {
    const missing = await unready()
    const away = outside.filter(({ isAway }) => isAway()).map(({ name }) => name)
    if (missing.length > 0) return reply.code(503).send({ status: 'waiting', waiting: missing, away })
    const waiting = await behind()
    // Still ready: every process sees the same lag and the same services, and without all of them everything would fail.
    return reply.send({ status: away.length + waiting.length === 0 ? 'ok' : 'degraded', waiting, away })
  })
  app.get('/metrics', async (request, reply) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    // A proxied request has a forwarding header, also from this machine (fine print 47).
    if (!isLocalRequest(request) && !(token !== undefined && sameSecret(token, serviceToken))) return reply.code(403).send('')
    return reply.type(contentType).send(await scrape())
  })
}
