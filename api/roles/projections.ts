import type { Kysely } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import type { EventStore } from '../../eventstore/event-store.ts'
import { createKysely, createPool } from '../../platform/database/pool.ts'
import { createLeases } from '../../projections/projector/leases.ts'
import { startProjector, watchProjections, type Projector } from '../../projections/projector/projector.ts'
import type { Config } from '../config.ts'
import { startProjectorThread } from './projector-thread.ts'
import { READ_MODELS } from '../../projections/read-models.ts'

export type ProjectionsDeps = {
  readonly url: string
  readonly db: Kysely<never>
  readonly store: EventStore
  readonly logger: FastifyBaseLogger
}

export type ProjectorOptions = ProjectionsDeps & {
  /** Runs the projector of the role `all` in a worker thread. */
  readonly threads: boolean
  readonly signal: AbortSignal
}

/** Keeps read models up where this process has that role, else follows those that other processes keep up. */
export function openProjector(config: Config, { threads, signal, ...deps }: ProjectorOptions): Promise<Projector> {
  if (config.role === 'projector' || (config.role === 'all' && !threads)) return keepProjections(deps)
  if (config.role !== 'all') return followProjections(deps)
  return startProjectorThread({ ...config, databaseUrl: deps.url }, (error) => {
    // An aborted start cuts the thread's connections.
    if (!signal.aborted) throw error
  })
}

/** Keeps the read models up in this thread. */
export async function keepProjections({ url, db, store, logger }: ProjectionsDeps): Promise<Projector> {
  const leases = createLeases(db, url)
  const pool = projectionPool(url, logger)
  const projector = await startProjector({
    db: createKysely<never>(pool, { keepPlans: true }),
    url,
    store,
    leases,
    models: READ_MODELS,
    onError: (model, error) => logger.error({ err: error, model }, 'a read model stands still'),
  })
  return {
    ...projector,
    async stop() {
      await projector.stop()
      await pool.end()
      await leases.close()
    },
  }
}

/** Knows how far the read models are that other processes keep up. */
export async function followProjections({ url, store, logger }: ProjectionsDeps): Promise<Projector> {
  const pool = projectionPool(url, logger)
  const projector = await watchProjections({
    db: createKysely<never>(pool),
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

const projectionPool = (url: string, logger: FastifyBaseLogger) =>
  createPool(url, {
    max: READ_MODELS.length + 2,
    applicationName: 'placard-projections',
    // A process that hangs within a page holds its checkpoint: whoever takes over waits for no more than this.
    limits: { idleInTransactionMs: 3000 },
    // Rows and checkpoint of a read model go into one commit: should the newest be lost in a crash, they are made again.
    synchronousCommit: 'off',
    onError: (error) => logger.info(`a database connection broke: ${error.message}`),
  })
