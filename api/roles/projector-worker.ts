import { parentPort, workerData } from 'node:worker_threads'
import { createBirpc } from 'birpc'
import { openDatabase } from '../../platform/database/database.ts'
import { createKysely } from '../../platform/database/pool.ts'
import type { Projector } from '../../projections/projector/projector.ts'
import { createLogger } from '../kit/logger.ts'
import { openEventLog } from '../event-log.ts'
import { keepProjections } from './projections.ts'
import type { ThreadCalls, ThreadOrders } from './projector-thread.ts'

const orders: ThreadOrders = workerData
const logger = createLogger(orders.logLevel)
const database = await openDatabase({
  ...orders,
  log: (line) => logger.info(line),
})
const store = await openEventLog(orders, database)
let projector: Projector | null = null

const started = (): Projector => {
  if (projector === null) throw new Error('the projector has not been started')
  return projector
}

const calls: ThreadCalls = {
  async start() {
    projector = await keepProjections({
      url: database.url,
      db: createKysely<never>(database.pool),
      store,
      logger,
    })
  },
  reached: (...args) => started().reached(...args),
  unready: () => started().unready(),
  lag: (now) => started().lag(now),
  async stop() {
    await projector?.stop()
    await store.close()
    await database.stop()
  },
}

createBirpc<object, ThreadCalls>(calls, {
  post: (message) => parentPort?.postMessage(message),
  on: (listener) => parentPort?.on('message', listener),
})
