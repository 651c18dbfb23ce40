import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { LogFigures } from '#commands/audit/log-port'
import type { Outside } from '#commands/outside'
import type { WebhookFigures } from '#platform/audit/webhook-store'
import type { LaneFigures } from '#platform/database/lanes'
import type { LeaseFigures, QueueFigures, ServerFigures } from '#platform/health/figures'
import type { DiskFigures } from '#platform/health/disks'
import type { JobFigures } from '#platform/jobs/job-store'
import type { CampaignFigures, SpendFigures } from '#projections/campaign/list/figures'
import type { Metric } from '#platform/telemetry/otlp-metrics'
import { openStreams } from './event-streams.ts'

/** Where the figures of /metrics come from. Those of the database are empty while PostgreSQL is away. */
export type MetricsSources = {
  /** How often PostgreSQL refused a query for want of something, by what it lacks. */
  readonly shortages: ReadonlyMap<string, number>
  /** How far each read model is behind the log. */
  readonly lag: () => Promise<readonly ModelFigures[]>
  /** Durable jobs, by kind. */
  readonly jobs: () => Promise<readonly JobFigures[]>
  /** Other work that waits. */
  readonly queues: () => Promise<readonly QueueFigures[]>
  /** Campaigns by status. */
  readonly campaigns: () => Promise<readonly CampaignFigures[]>
  /** Amounts that campaigns were billed, by currency. */
  readonly spend: () => Promise<readonly SpendFigures[]>
  /** Disks of the folders of this process. */
  readonly disks: () => Promise<readonly DiskFigures[]>
  /** Which leases are held, by this process or another. */
  readonly leases: () => Promise<readonly LeaseFigures[]>
  /** Connections of this process, by purpose. */
  readonly pools: () => readonly LaneFigures[]
  /** Connections of PostgreSQL. */
  readonly server: () => Promise<readonly ServerFigures[]>
  /** The transparency log. */
  readonly transparency: () => Promise<readonly LogFigures[]>
  /** Webhooks of the audit feed. */
  readonly webhooks: () => Promise<readonly WebhookFigures[]>
  /** Spans that no collector got. */
  readonly droppedSpans: () => number
  /** Services outside. */
  readonly outside: readonly Pick<Outside, 'name' | 'isAway'>[]
  /** Security events of this process, by type; absent where no user signs in. */
  readonly securityEvents?: ReadonlyMap<string, number>
}

/** Figures of a read model; positions are of the log. */
type ModelFigures = {
  readonly name: string
  readonly seconds: number
  readonly parked: number
  readonly head: bigint
  /** Null when no generation is being built. */
  readonly built: bigint | null
}

type Metrics = {
  readonly contentType: string
  readonly scrape: () => Promise<string>
  /** The same as values. */
  readonly collect: () => Promise<readonly Metric[]>
}

const COUNTED_AS_GAUGES = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

/** Answer of GET /metrics (docs/observing.md "Metrics"), and the measurement of the requests of a server. */
export function createMetrics(app: FastifyInstance, sources: MetricsSources): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Gauges that are named as counters, which the checks of Prometheus refuse; the gauges by type hold the same numbers.
  for (const name of COUNTED_AS_GAUGES) registry.removeSingleMetric(name)
  const gauge = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge<L>({ name, help, labelNames, registers: [registry] })
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter<L>({ name, help, labelNames, registers: [registry] })

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

  const behind = gauge('placard_projection_lag_seconds', 'Age of the oldest event that a read model has not applied', ['model'])
  const parked = gauge(
    'placard_projection_parked_streams',
    'Parked streams of a read model: an event of each cannot be applied',
    ['model'],
  )
  const built = gauge(
    'placard_projection_build_ratio',
    'Part of the log in the new generation of a read model, from 0 to 1; absent when none is built',
    ['model'],
  )
  const jobs = gauge('placard_jobs', 'Durable jobs by kind and state: due, running, waiting for a later try, dead', [
    'kind',
    'state',
  ])
  const oldestJob = gauge('placard_jobs_oldest_due_seconds', 'How long the oldest due job has waited for a worker', ['kind'])
  const unfinishedJob = gauge(
    'placard_jobs_oldest_unfinished_seconds',
    'Age of the oldest job that is due, runs or failed so far; jobs that wait by plan and dead ones apart',
    ['kind'],
  )
  const campaigns = gauge('placard_campaigns', 'Campaigns of all accounts by status', ['status'])
  const spent = counter('placard_spend_total', 'What campaigns of all accounts were billed, in the currency', ['currency'])
  const freeSpace = gauge('placard_disk_free_bytes', 'Space that is left on the disk of a folder of this process', ['place'])
  const usedSpace = gauge('placard_disk_used_bytes', 'Space that is used on the disk of a folder of this process', ['place'])
  const queued = gauge('placard_queue_items', 'Work that waits, apart from jobs; counted up to 10,000', ['queue'])
  const oldest = gauge('placard_queue_oldest_seconds', 'Age of the oldest work that waits; 0 when none does', ['queue'])
  const led = gauge('placard_lease_held', '1 while a process, this or another, leads the work of this name', ['lease'])
  const size = gauge('placard_pool_connections', 'Most connections to PostgreSQL of this process, by purpose', ['purpose'])
  const used = gauge('placard_pool_connections_in_use', 'Connections of this process that are in use', ['purpose'])
  const waiting = gauge('placard_pool_waiting', 'Requests of this process that wait for a connection', ['purpose'])
  const connected = gauge('placard_postgres_connections', 'Connections to PostgreSQL of all its clients')
  const grantable = gauge('placard_postgres_connections_limit', 'Connections that PostgreSQL grants, max_connections')
  const absent = gauge('placard_outside_away', '1 while a service outside is away', ['name'])
  const treeSize = gauge('placard_log_tree_size', 'Events in the transparency log')
  const headAge = gauge(
    'placard_log_head_age_seconds',
    'Time since the newest head of the transparency log was signed or confirmed; NaN before the first',
  )
  const treeFault = gauge('placard_log_fault', '1 while the transparency log and the event log disagree')
  const failing = gauge('placard_log_witness_failing', '1 while a witness does not cosign', ['witness'])
  const hooked = gauge(
    'placard_audit_webhooks',
    'Webhooks of the audit feed that wait for a delivery, fail and are retried, or are parked',
    ['state'],
  )
  const streams = gauge('placard_open_streams', 'Live streams that clients of this process have open', ['stream'])
  const refused = counter('placard_database_refusals_total', 'Queries that PostgreSQL refused for want of connections or disk', [
    'reason',
  ])
  const dropped = new Counter({
    name: 'placard_spans_dropped_total',
    help: 'Spans of this process that no collector got: it was away for longer than they could wait, or refused them',
    registers: [registry],
  })
  const secured = counter(
    'placard_security_events_total',
    'Security events of this process: sign-ins, failed sign-ins, refusals, changes of credentials',
    ['type'],
  )

  /** Sets a counter to what its source has counted. */
  function count<L extends string>(total: Counter<L>, label: L, figures: ReadonlyMap<string, number>): void {
    total.reset()
    for (const [value, times] of figures) total.inc({ [label]: value } as Record<L, string>, times)
  }

  async function readDatabase(): Promise<void> {
    for (const model of await sources.lag()) {
      behind.set({ model: model.name }, model.seconds)
      parked.set({ model: model.name }, model.parked)
      if (model.built === null) built.remove({ model: model.name })
      else built.set({ model: model.name }, model.head === 0n ? 1 : Number(model.built) / Number(model.head))
    }
    for (const { kind, oldest: seconds, unfinished, ...states } of await sources.jobs()) {
      for (const [state, n] of Object.entries(states)) jobs.set({ kind, state }, n)
      oldestJob.set({ kind }, seconds)
      unfinishedJob.set({ kind }, unfinished)
    }
    for (const { queue, waiting: items, oldest: seconds } of await sources.queues()) {
      queued.set({ queue }, items)
      oldest.set({ queue }, seconds)
    }
    for (const { status, campaigns: found } of await sources.campaigns()) campaigns.set({ status }, found)
    const billed = await sources.spend()
    if (billed.length > 0) count(spent, 'currency', new Map(billed.map(({ currency, spend }) => [currency, spend])))
    for (const { lease, held } of await sources.leases()) led.set({ lease }, held ? 1 : 0)
    for (const figures of await sources.server()) {
      connected.set(figures.used)
      grantable.set(figures.limit)
    }
    for (const { size: events, headAge: age, fault, witnesses } of await sources.transparency()) {
      treeSize.set(events)
      headAge.set(age ?? NaN)
      treeFault.set(fault ? 1 : 0)
      for (const witness of witnesses) failing.set({ witness: witness.name }, witness.failing ? 1 : 0)
    }
    for (const states of await sources.webhooks()) for (const [state, n] of Object.entries(states)) hooked.set({ state }, n)
  }

  async function readProcess(): Promise<void> {
    for (const { place, free, used: taken } of await sources.disks()) {
      freeSpace.set({ place }, free)
      usedSpace.set({ place }, taken)
    }
    for (const { purpose, size: most, held, waiting: requests } of sources.pools()) {
      size.set({ purpose }, most)
      used.set({ purpose }, held)
      waiting.set({ purpose }, requests)
    }
    for (const [stream, open] of openStreams(app)) streams.set({ stream }, open)
    for (const { name, isAway } of sources.outside) absent.set({ name }, isAway() ? 1 : 0)
    dropped.reset()
    dropped.inc(sources.droppedSpans())
    count(refused, 'reason', sources.shortages)
    count(secured, 'type', sources.securityEvents ?? new Map())
  }

  async function read(): Promise<void> {
    await readDatabase()
    await readProcess()
  }

  return {
    contentType: registry.contentType,
    scrape: async () => {
      await read()
      return registry.metrics()
    },
    collect: async () => {
      await read()
      return registry.getMetricsAsJSON()
    },
  }
}
