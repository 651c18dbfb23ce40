import type { FastifyInstance } from 'fastify'
import type { FailedJob, JobFigures } from '#platform/jobs/job-store'
import type { LiveProcess } from '#platform/operations/processes'
import type { StoredError } from '#platform/operations/server-errors'
import type { QueueFigures } from '#platform/health/figures'
import type { Parked } from '#projections/projector/parked'
import { refused } from '#commands/refused'
import * as contract from '#contract/operations'
import { register } from '#api/http/register'
import { failureOf } from '#api/http/request-failures'
import { settingsInForce } from './settings-in-force.ts'
import type { Served } from '#api/areas/services'
import { beginning } from '#domain/kit/text'

type Paged = { readonly page: number; readonly size: number }
type Found<Row> = Promise<{ readonly rows: readonly Row[]; readonly total: number }>
type JobName = { readonly kind: string; readonly key: string }

/** Facts that the machine knows of itself, and actions on it. */
export type OperationsPort = {
  readonly jobFigures: () => Promise<readonly JobFigures[]>
  readonly queueFigures: () => Promise<readonly QueueFigures[]>
  readonly failedJobs: (asked: Paged & { readonly kind: string | null }) => Found<FailedJob>
  /** How many jobs run again. */
  readonly retryJob: (job: JobName) => Promise<number>
  readonly discardJob: (job: JobName) => Promise<boolean>
  /** The process of each lease of a read model that is held. */
  readonly leaders: () => Promise<ReadonlyMap<string, string>>
  /** Parked streams of a read model, or of all, the oldest first. */
  readonly parked: (name: string | null) => Promise<readonly Parked[]>
  readonly processes: (most: number) => Promise<readonly LiveProcess[]>
  readonly errors: (asked: Paged & { readonly requestId: string | null }) => Found<StoredError>
}

const PAGE_SIZE = 50
const MOST_PARKED = 200
const MOST_PROCESSES = 200

/** Processes, read models, queues and errors (fine print 98). */
export function registerOperationsRoutes(
  app: FastifyInstance,
  { config, errors, guards, running, security }: Served<'errors' | 'running' | 'security'>,
  port: OperationsPort,
): void {
  app.addHook('onResponse', async (request, reply) => {
    const { url: route = 'unknown' } = request.routeOptions
    if (reply.statusCode < 500) return
    errors.add({
      at: new Date().toISOString(),
      request_id: request.id,
      route: `${request.method} ${route}`,
      status: reply.statusCode,
      message: failureOf(request)?.name ?? '',
    })
  })

  register(app, guards, contract.readQueues, async () => {
    const [jobs, others] = await Promise.all([port.jobFigures(), port.queueFigures()])
    return {
      queues: [
        ...jobs.map(({ kind, due, running, waiting, dead, oldest }) => ({
          name: kind,
          is_jobs: true,
          due,
          running,
          waiting,
          dead,
          oldest_seconds: oldest,
        })),
        ...others.map(({ queue, waiting, oldest }) => ({
          name: queue,
          is_jobs: false,
          due: waiting,
          running: 0,
          waiting: 0,
          dead: 0,
          oldest_seconds: oldest,
        })),
      ],
    }
  })

  register(app, guards, contract.listFailedJobs, async ({ query }) => {
    const paged = pagedBy(query)
    return pageOf(paged, await port.failedJobs({ ...paged, kind: query.kind ?? null }))
  })

  register(app, guards, contract.retryJob, async (call) => {
    const { kind, key, reason } = call.body
    if ((await port.retryJob({ kind, key })) === 0) throw refused(131)
    await security.record('job-retried', call, { kind, key, reason })
    return {}
  })

  register(app, guards, contract.discardJob, async (call) => {
    const { kind, key, reason } = call.body
    if (!(await port.discardJob({ kind, key }))) throw refused(131)
    await security.record('job-discarded', call, { kind, key, reason })
    return {}
  })

  register(app, guards, contract.readReadModels, async () => {
    const [lags, leaders, parked] = await Promise.all([running.lag(), port.leaders(), port.parked(null)])
    return {
      read_models: lags.map(({ name, version, generation, position, head, seconds, parked: streams, error, built }) => ({
        name,
        version,
        generation,
        behind: Number(head - position),
        behind_seconds: seconds,
        parked: streams,
        error,
        building: built === null ? null : head === 0n ? 1 : Math.min(1, Number(built) / Number(head)),
        leader: leaders.get(`projector ${name}`) ?? null,
      })),
      parked: parked.slice(0, MOST_PARKED).map(({ name, stream, position, attempts, message, since }) => ({
        read_model: name,
        stream,
        position: String(position),
        attempts,
        error: message,
        since: new Date(since).toISOString(),
      })),
    }
  })

  register(app, guards, contract.retryParkedStream, async (call) => {
    const { read_model: name, stream, reason } = call.body
    if (!(await port.parked(name)).some((one) => one.stream === stream)) throw refused(131)
    const error = await running.retryParked(name, stream).then(() => null, messageOf)
    await security.record('stream-retried', call, { read_model: name, stream, reason, applied: error === null ? 1 : 0 })
    return { applied: error === null, error }
  })

  register(app, guards, contract.readProcesses, async () => {
    const found = await port.processes(MOST_PROCESSES)
    const noticed = found.flatMap(({ away }) => away)
    const names = [...new Set(noticed.map(({ name }) => name))].sort()
    return {
      processes: found.map(({ away: _, ...one }) => one),
      away: names.map((name) => {
        const since = noticed.filter((one) => one.name === name).map((one) => one.since)
        return { name, since: since.sort()[0] ?? '', processes: since.length }
      }),
    }
  })

  register(app, guards, contract.listServerErrors, async ({ query }) => {
    const paged = pagedBy(query)
    return pageOf(paged, await port.errors({ ...paged, requestId: query.request_id ?? null }))
  })

  register(app, guards, contract.readSettings, async () => ({ settings: settingsInForce(config) }))

  register(app, guards, contract.listLicences, async ({ query }) => {
    const { page, size } = pagedBy(query)
    const all = running.packages()
    return pageOf({ page, size }, { rows: all.slice(page * size, (page + 1) * size), total: all.length })
  })
}

const pagedBy = ({
  page = 0,
  page_size: size = PAGE_SIZE,
}: {
  readonly page?: number | undefined
  readonly page_size?: number | undefined
}): Paged => ({
  page,
  size,
})

const pageOf = <Row>({ page, size }: Paged, { rows, total }: Awaited<Found<Row>>) => ({
  current_page: page,
  page_size: size,
  total_size: total,
  data: rows,
})

const messageOf = (error: unknown): string => beginning(error instanceof Error ? error.message : String(error), 500)
