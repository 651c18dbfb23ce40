import { Worker } from 'node:worker_threads'
import { createBirpc } from 'birpc'
import type { Config } from '../config.ts'
import type { Projector } from '#projections/projector/projector'

/** The thread's configuration; must be cloneable. */
export type ThreadOrders = Pick<
  Config,
  'eventStoreUrl' | 'unsafeDatabase' | 'logLevel' | 'dataDir' | 'pools' | 'otlp' | 'role'
> & {
  readonly databaseUrl: string
  /** Counts dropped spans for the process. */
  readonly dropped: SharedArrayBuffer
}
/** The thread's calls. `start` comes first and resolves when the read models are being kept up to date. */
export type ThreadCalls = Projector & { readonly start: () => Promise<void> }

/**
 * The projector in its own thread, so that processing a page of events delays no request. Like a process of the role `projector`,
 * it has its own connections; it is controlled by messages. `onDeath` is called when it dies.
 */
export async function startProjectorThread(orders: ThreadOrders, onDeath: (error: Error) => void): Promise<Projector> {
  const worker = startWorker(orders)
  const thread = createBirpc<ThreadCalls, object>(
    {},
    {
      post: (message) => worker.postMessage(message),
      on: (listener) => worker.on('message', listener),
      // Each call has its own timeout; a rebuild at the start may take any time.
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
