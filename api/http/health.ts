import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { isLocalRequest } from './local-requests.ts'
import type { Outside } from '#commands/outside'
import type { LogFigures } from '#commands/audit/log-port'
import type { WebhookFigures } from '#platform/audit/webhook-store'
import type { JobFigures } from '#platform/jobs/job-store'
import { sameSecret } from '#commands/identity/tokens'

export type HealthDeps = {
  /** Names of the parts without which nothing works, and that are missing; empty when the process is ready. */
  readonly unready: () => Promise<readonly string[]>
  /** Read models that are behind the log, and purposes without a free connection: what needs them waits, everything else goes on. */
  readonly behind: () => Promise<readonly string[]>
  /** How often PostgreSQL refused a query for want of something, by what it lacks. */
  readonly shortages: ReadonlyMap<string, number>
  /** How far each read model is behind the log. */
  readonly lag: () => Promise<readonly ModelFigures[]>
  /** Durable jobs, by kind. */
  readonly jobs: () => Promise<readonly JobFigures[]>
  /** The transparency log; nothing while PostgreSQL is away. */
  readonly transparency: () => Promise<readonly LogFigures[]>
  /** Webhooks of the audit feed; nothing while PostgreSQL is away. */
  readonly webhooks: () => Promise<readonly WebhookFigures[]>
  /** Services outside: one that is away is named, and what does not need it goes on. */
  readonly outside: readonly Pick<Outside, 'name' | 'isAway'>[]
  readonly serviceToken: string
  /** Whether a proxy is trusted: a loopback connection may then carry a remote client. */
  readonly proxied: boolean
}

/** Of a read model; positions are of the log. */
type ModelFigures = {
  readonly name: string
  readonly seconds: number
  readonly parked: number
  readonly head: bigint
  /** Null when no generation is being built. */
  readonly built: bigint | null
}

/** GET /health/live, /health/ready and /metrics (running.md). */
export function registerHealth(app: FastifyInstance, deps: HealthDeps): void {
  const { unready, behind: lagging, jobs, lag, outside, shortages, serviceToken, transparency, webhooks, proxied } = deps
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'placard_http_request_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  })
  const behind = new Gauge({
    name: 'placard_projection_lag_seconds',
    help: 'Age of the oldest event that a read model has not applied',
    labelNames: ['model'],
    registers: [registry],
  })
  const parked = new Gauge({
    name: 'placard_projection_parked_streams',
    help: 'Parked streams of a read model: an event of each cannot be applied',
    labelNames: ['model'],
    registers: [registry],
  })
  const built = new Gauge({
    name: 'placard_projection_build_ratio',
    help: 'Part of the log in the new generation of a read model, from 0 to 1; absent when none is built',
    labelNames: ['model'],
    registers: [registry],
  })
  const queued = new Gauge({
    name: 'placard_jobs',
    help: 'Durable jobs by kind and state: due, running, waiting for a later try, dead',
    labelNames: ['kind', 'state'],
    registers: [registry],
  })
  const oldest = new Gauge({
    name: 'placard_jobs_oldest_due_seconds',
    help: 'How long the oldest due job has waited for a worker',
    labelNames: ['kind'],
    registers: [registry],
  })
  const absent = new Gauge({
    name: 'placard_outside_away',
    help: '1 while a service outside is away',
    labelNames: ['name'],
    registers: [registry],
  })
  const treeSize = new Gauge({
    name: 'placard_log_tree_size',
    help: 'Events in the transparency log',
    registers: [registry],
  })
  const headAge = new Gauge({
    name: 'placard_log_head_age_seconds',
    help: 'Time since the newest head of the transparency log was signed or confirmed; NaN before the first',
    registers: [registry],
  })
  const treeFault = new Gauge({
    name: 'placard_log_fault',
    help: '1 while the transparency log and the event log disagree',
    registers: [registry],
  })
  const failing = new Gauge({
    name: 'placard_log_witness_failing',
    help: '1 while a witness does not cosign',
    labelNames: ['witness'],
    registers: [registry],
  })
  const hooked = new Gauge({
    name: 'placard_audit_webhooks',
    help: 'Webhooks of the audit feed that wait for a delivery, fail and are retried, or are parked',
    labelNames: ['state'],
    registers: [registry],
  })
  const refused = new Counter({
    name: 'placard_database_refusals_total',
    help: 'Queries that PostgreSQL refused for want of connections or disk',
    labelNames: ['reason'],
    registers: [registry],
  })
  for (const reason of shortages.keys()) refused.inc({ reason }, 0)
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    duration.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
  })

  app.get('/health/live', async () => ({ status: 'ok' }))
  app.get('/health/ready', async (_request, reply) => {
    const missing = await unready()
    const away = outside.filter(({ isAway }) => isAway()).map(({ name }) => name)
    if (missing.length > 0) return reply.code(503).send({ status: 'waiting', waiting: missing, away })
    const waiting = await lagging()
    // Still ready: every process sees the same lag and the same services, and without all of them everything would fail.
    return reply.send({ status: away.length + waiting.length === 0 ? 'ok' : 'degraded', waiting, away })
  })
  app.get('/metrics', async (request, reply) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const isLocal = !proxied && isLocalRequest(request)
    if (!isLocal && !(token !== undefined && sameSecret(token, serviceToken))) return reply.code(403).send('')
    for (const model of await lag()) {
      behind.set({ model: model.name }, model.seconds)
      parked.set({ model: model.name }, model.parked)
      if (model.built === null) built.remove({ model: model.name })
      else built.set({ model: model.name }, model.head === 0n ? 1 : Number(model.built) / Number(model.head))
    }
    for (const { kind, oldest: seconds, ...states } of await jobs()) {
      for (const [state, n] of Object.entries(states)) queued.set({ kind, state }, n)
      oldest.set({ kind }, seconds)
    }
    for (const { size, headAge: age, fault, witnesses } of await transparency()) {
      treeSize.set(size)
      headAge.set(age ?? NaN)
      treeFault.set(fault ? 1 : 0)
      for (const witness of witnesses) failing.set({ witness: witness.name }, witness.failing ? 1 : 0)
    }
    for (const states of await webhooks()) for (const [state, n] of Object.entries(states)) hooked.set({ state }, n)
    refused.reset()
    for (const [reason, times] of shortages) refused.inc({ reason }, times)
    for (const { name, isAway } of outside) absent.set({ name }, isAway() ? 1 : 0)
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
