import { Worker } from 'node:worker_threads'
import { createBirpc } from 'birpc'
import type { Config } from '../config.ts'
import type { Projector } from '../../projections/projector/projector.ts'

/** What the thread needs to know: all of it can be cloned. */
export type ThreadOrders = Pick<Config, 'eventStoreUrl' | 'unsafeDatabase' | 'logLevel' | 'dataDir'> & {
  readonly databaseUrl: string
}
/** What the thread answers. `start` comes first and resolves when the read models are being kept up. */
export type ThreadCalls = Projector & { readonly start: () => Promise<void> }

/**
 * The projector on a thread of its own, so that a page of events it works through keeps nobody's request waiting. It has its own
 * connections, as a process of the role `projector` does, and is asked by messages. Should it die, `onDeath` is told.
 */
export async function startProjectorThread(orders: ThreadOrders, onDeath: (error: Error) => void): Promise<Projector> {
  const worker = startWorker(orders)
  const thread = createBirpc<ThreadCalls, object>(
    {},
    {
      post: (message) => worker.postMessage(message),
      on: (listener) => worker.on('message', listener),
      // Each call has a limit of its own; a rebuild at the start takes as long as it takes.
      timeout: -1,
    },
  )
  let stopping = false
  const died = (error: Error) => {
    thread.$close(error)
    if (!stopping) onDeath(error)
  }
  worker.once('error', died)
  worker.once('exit', (code) => {
    if (!stopping) died(new Error(`the projector's thread ended with code ${code}`))
  })
  try {
    await thread.start()
  } catch (error) {
    stopping = true
    await worker.terminate()
    throw error
  }
  return {
    reached: (...args) => thread.reached(...args),
    unready: () => thread.unready(),
    lag: (now) => thread.lag(now),
    async stop() {
      stopping = true
      await thread.stop()
      await worker.terminate()
    },
  }
}

function startWorker(workerData: ThreadOrders): Worker {
  if (import.meta.url.endsWith('.js'))
    return new Worker(new URL('./projector-worker.js', import.meta.url), {
      workerData,
    })
  return new Worker(new URL('./projector-worker-from-source.mjs', import.meta.url), { workerData, execArgv: [] })
}
