import type { Kysely } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import type { EventStore } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { createKysely, createPool, type Limits } from '#platform/database/pool'
import { progressText, type BuildProgress } from '#projections/projector/build-progress'
import { createLeases } from '#projections/projector/leases'
import { startProjector, watchProjections, type Projector } from '#projections/projector/projector'
import type { HoldBack } from '#projections/projector/runner'
import { BUILD_LIMITS } from '#projections/projector/rebuild'
import type { Config } from '../config.ts'
import type { Telemetry } from '../wiring/telemetry.ts'
import { PROCESS_NAME } from '../process/this-process.ts'
import { startProjectorThread } from './projector-thread.ts'
import { READ_MODELS } from '#projections/read-models'

/** Most connections of builds of read models. */
const BUILDS = 3

export type ProjectionsDeps = {
  readonly url: string
  readonly db: Kysely<Db>
  readonly store: EventStore
  readonly logger: FastifyBaseLogger
  /** Most connections that keep read models up to date. */
  readonly connections: number
  /** Awaited before each page of a read model; tests delay read models with it. */
  readonly holdBack?: HoldBack | undefined
  readonly telemetry: Pick<Telemetry, 'tracer' | 'dropped'>
}

export type ProjectorOptions = ProjectionsDeps & {
  /** Runs the projector of the role `all` in a worker thread. */
  readonly threads: boolean
  readonly signal: AbortSignal
}

/** Keeps read models up to date when this process has that role, else follows those of other processes. */
export function openProjector(config: Config, { threads, signal, ...deps }: ProjectorOptions): Promise<Projector> {
  if (config.role === 'projector' || (config.role === 'all' && !threads)) return keepProjections(deps)
  if (config.role !== 'all') return followProjections(deps)
  const orders = { ...config, databaseUrl: deps.url, dropped: deps.telemetry.dropped.shared }
  return startProjectorThread(orders, (error) => {
    // An aborted start cuts the thread's connections.
    if (!signal.aborted) throw error
  })
}

/** Keeps the read models up to date with the log, in this thread. */
export async function keepProjections({
  url,
  db,
  store,
  logger,
  connections,
  holdBack,
  telemetry,
}: ProjectionsDeps): Promise<Projector> {
  const leases = createLeases(db, url, PROCESS_NAME)
  // A hanging transaction locks its checkpoint: a successor waits at most this long.
  const pool = projectionPool(url, logger, connections, { idleInTransactionMs: 3000 })
  // Builds are rare. Two of them write for long, and the others and all heartbeats share the third.
  const builds = projectionPool(url, logger, BUILDS, BUILD_LIMITS)
  const projector = await startProjector({
    db: createKysely(pool, { keepPlans: true }),
    builds: createKysely(builds),
    url,
    store,
    leases,
    models: READ_MODELS,
    holdBack,
    tracer: telemetry.tracer,
    onError: (model, error) => logger.error({ err: error, model }, 'a read model stopped; it is retried'),
    onBuild: reportBuilds(logger),
  })
  return {
    ...projector,
    async stop() {
      await projector.stop()
      await Promise.all([pool.end(), builds.end()])
      await leases.close()
    },
  }
}

/** How often the progress of a rebuild is logged. A short one is not. */
const REPORT_MS = 10_000

function reportBuilds(logger: FastifyBaseLogger): (model: string, progress: BuildProgress) => void {
  const reported = new Map<string, number>()
  return (model, progress) => {
    const now = Date.now()
    const last = reported.get(model) ?? now
    if (now - last >= REPORT_MS)
      logger.info({ model, ...progress }, `the read model ${model} is rebuilt: ${progressText(progress)}`)
    if (now - last >= REPORT_MS || !reported.has(model)) reported.set(model, now)
  }
}

/** Follows the positions of read models that other processes keep up to date. */
export async function followProjections({ url, store, logger, connections }: ProjectionsDeps): Promise<Projector> {
  const pool = projectionPool(url, logger, connections, {})
  const projector = await watchProjections({
    db: createKysely(pool),
    url,
    store,
    models: READ_MODELS,
  })
  return {
    ...projector,
    async stop() {
      await projector.stop()
      await pool.end()
    },
  }
}

const projectionPool = (url: string, logger: FastifyBaseLogger, max: number, limits: Limits) =>
  createPool(url, {
    max,
    applicationName: 'placard-projections',
    limits,
    // Rows and checkpoint share a commit: changes lost in a crash are applied again.
    synchronousCommit: 'off',
    onError: (error) => logger.info(`a database connection broke: ${error.message}`),
  })
