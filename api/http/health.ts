import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { sameSecret } from '../sessions/tokens.ts'

export type HealthDeps = {
  /** What is not ready yet, by name; empty when all is well. */
  readonly unready: () => Promise<readonly string[]>
  readonly serviceToken: string
}

/** GET /health/live, /health/ready and /metrics (running.md). */
export function registerHealth(app: FastifyInstance, { unready, serviceToken }: HealthDeps): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'placard_http_request_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    duration.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
  })

  app.get('/health/live', async () => ({ status: 'ok' }))
  app.get('/health/ready', async (_request, reply) => {
    const waiting = await unready()
    return reply.code(waiting.length === 0 ? 200 : 503).send({ status: waiting.length === 0 ? 'ok' : 'waiting', waiting })
  })
  app.get('/metrics', async (request, reply) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const loopback = ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.ip)
    if (!loopback && !(token !== undefined && sameSecret(token, serviceToken))) return reply.code(403).send('')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
