import type { Kysely } from 'kysely'
import { deliveredWithin, type Delivered } from './money-queries.ts'
import type { Db } from '#migrations/db'

/** How often deliveries are polled, milliseconds. */
const EVERY_MS = 400
/**
 * How far each poll reaches back, seconds: a batch has the time of its write, and commits later. What was reported is not reported again.
 */
const REACH_SECONDS = 10

export type Deliveries = {
  /** Reports campaigns that batches delivered for, from now on, until the returned function is called. */
  readonly listen: (notify: (delivered: readonly Delivered[]) => void) => Promise<() => void>
  readonly stop: () => Promise<void>
}

/** Looks for deliveries while there are listeners. One for each process: batches arrive at any process, and PostgreSQL has them all. */
export function createDeliveries(db: Kysely<Db>, onError: (error: unknown) => void): Deliveries {
  const listeners = new Set<(delivered: readonly Delivered[]) => void>()
  /** Time of the last batch that was reported, by campaign. */
  let reported = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> = Promise.resolve()

  /** Deliveries of the last seconds that were not reported yet. */
  async function fresh(): Promise<readonly Delivered[]> {
    const delivered = await deliveredWithin(db, REACH_SECONDS)
    const found = delivered.filter(({ id, at }) => reported.get(id) !== at)
    reported = new Map(delivered.map(({ id, at }) => [id, at]))
    return found
  }

  async function poll(): Promise<void> {
    try {
      const found = await fresh()
      if (found.length > 0) for (const notify of listeners) notify(found)
    } catch (error) {
      onError(error)
    }
    schedule()
  }

  function schedule(): void {
    if (listeners.size === 0) return
    timer = setTimeout(() => {
      polling = poll()
    }, EVERY_MS)
    timer.unref()
  }

  function leave(listener: (delivered: readonly Delivered[]) => void): void {
    listeners.delete(listener)
    if (listeners.size === 0) clearTimeout(timer)
  }

  return {
    async listen(notify) {
      const isFirst = listeners.size === 0
      const listener = (delivered: readonly Delivered[]) => notify(delivered)
      listeners.add(listener)
      if (isFirst) {
        clearTimeout(timer)
        await polling
        // Earlier deliveries are no news.
        await fresh().catch(onError)
        clearTimeout(timer)
        schedule()
      }
      return () => leave(listener)
    },
    async stop() {
      listeners.clear()
      clearTimeout(timer)
      await polling
    },
  }
}
