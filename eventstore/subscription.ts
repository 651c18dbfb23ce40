import type { Page, Position, StoredEvent, SubscribeOptions, Subscription } from './event-store.ts'
import type { Signal } from './signal.ts'

const BATCH = 500
/** Poll interval while a hole may still be filled. */
const HOLE_POLL_MS = 5
const RETRY_MS = [25, 50, 100, 250, 500, 1000, 2000] as const

/** `waiting`: events after `upTo` are not certain yet. `more`: there may be certain events although the page is not full. */
export type ReadPage = Page & { readonly waiting: boolean; readonly more?: boolean }

export type SubscriptionSource = {
  readonly read: (after: Position, limit: number) => Promise<ReadPage>
  /** Raised when there may be something new. */
  readonly wake: Signal
  /** Poll interval, in case a wake-up is lost. */
  readonly pollMs: number
  /** Whether a retry may succeed, as after a lost connection; any other error ends the subscription. */
  readonly passes: (error: unknown) => boolean
}

export type Subscriptions = {
  readonly start: (options: SubscribeOptions) => Subscription
  readonly stopAll: () => Promise<void>
}

/** `subscribe` of every adapter that can read the log in pages. */
export function createSubscriptions(source: SubscriptionSource): Subscriptions {
  const running = new Set<Subscription>()
  return {
    start: (options) => {
      const loop = startLoop(source, options)
      const subscription = {
        stop: async () => {
          running.delete(subscription)
          await loop.stop()
        },
      }
      running.add(subscription)
      return subscription
    },
    stopAll: async () => {
      await Promise.all([...running].map((subscription) => subscription.stop()))
    },
  }
}

function startLoop(source: SubscriptionSource, options: SubscribeOptions): Subscription {
  const { onPage, onError, batchSize = BATCH, streams = [] } = options
  const wanted = (event: StoredEvent): boolean => streams.some((prefix) => event.stream.startsWith(prefix))
  let stopped = false
  let after = options.after
  let failures = 0

  const step = async (): Promise<void> => {
    const seen = source.wake.count()
    const page = await readWithRetry(seen)
    if (stopped || page === null) return
    if (page.upTo > after) {
      // Filtered here and not in SQL: certainty depends on all events.
      await onPage({ events: streams.length === 0 ? page.events : page.events.filter(wanted), upTo: page.upTo })
      after = page.upTo
      if (page.waiting || page.more === true || page.events.length >= batchSize) return
    }
    // A page that is not full ends at the end of the log; later events raise the signal.
    await source.wake.wait(seen, page.waiting ? HOLE_POLL_MS : source.pollMs)
  }

  const readWithRetry = async (seen: number): Promise<ReadPage | null> => {
    try {
      const page = await source.read(after, batchSize)
      failures = 0
      return page
    } catch (error) {
      if (!source.passes(error)) throw error
      await source.wake.wait(seen, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0)
      failures += 1
      return null
    }
  }

  const run = async (): Promise<void> => {
    try {
      for (;;) {
        if (stopped) return
        await step()
      }
    } catch (error) {
      if (!stopped) onError(error)
      stopped = true
    }
  }

  const ended = run()
  return {
    stop: async () => {
      stopped = true
      source.wake.raise()
      await ended
    },
  }
}
