import { parentPort, workerData } from 'node:worker_threads'
import { createBirpc } from 'birpc'
import { openDatabase } from '#platform/database/database'
import { createKysely } from '#platform/database/pool'
import type { Projector } from '#projections/projector/projector'
import { createLogger } from '../process/logger.ts'
import { createStops } from '../process/stops.ts'
import { openEventLog } from '../wiring/event-log.ts'
import { openTelemetry } from '../wiring/telemetry.ts'
import { keepProjections } from './projections.ts'
import type { ThreadCalls, ThreadOrders } from './projector-thread.ts'

const orders: ThreadOrders = workerData
const logger = createLogger(orders.logLevel)
/** Connections for reading the log and for leases. */
const WORK = { calls: 2 }

type Running = { readonly projector: Projector; readonly close: () => Promise<void> }
let running: Running | null = null

async function start(): Promise<Running> {
  const stops = createStops()
  // The process reports that the collector is away.
  const telemetry = await openTelemetry(orders, { logger: createLogger('silent'), stops, dropped: orders.dropped })
  const database = await openDatabase({ ...orders, connections: WORK, log: (line) => logger.info(line) })
  const store = await openEventLog(orders, database)
  const projector = await keepProjections({
    url: database.url,
    connections: orders.pools.projector,
    db: createKysely(database.pool),
    store,
    logger,
    telemetry,
  })
  const close = async () => {
    await projector.stop()
    await store.close()
    await database.stop()
    await stops.run()
  }
  return { projector, close }
}

const started = (): Projector => {
  if (running === null) throw new Error('the projector has not been started')
  return running.projector
}

// Everything is opened by the first call: a failure is its answer, and no death of the thread.
const calls: ThreadCalls = {
  async start() {
    running = await start()
  },
  reached: (...args) => started().reached(...args),
  unready: () => started().unready(),
  lag: (now) => started().lag(now),
  async stop() {
    await running?.close()
  },
}

createBirpc<object, ThreadCalls>(calls, {
  post: (message) => parentPort?.postMessage(message),
  on: (listener) => parentPort?.on('message', listener),
})
