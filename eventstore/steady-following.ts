import type { EventStore, Page, Position } from './event-store.ts'

/** Pauses before the log is followed again, milliseconds; the last one repeats. */
const RETRY_MS = [100, 250, 500, 1000, 2000, 5000] as const

export type FollowOptions = {
  /** Everything strictly after this position. */
  readonly after: Position
  readonly streams: readonly string[]
  /** `failures`: number of consecutive failures after the page before this one. */
  readonly onPage: (page: Page, failures: number) => Promise<void>
  /** Receives every error, before the next attempt. */
  readonly onError: (error: unknown) => void
}

export type Following = {
  /** Resolves after the current page; no call follows. */
  readonly stop: () => Promise<void>
}

/** A subscription that survives errors: it resumes after the last processed page, with growing pauses. */
export function followSteadily(store: Pick<EventStore, 'subscribe'>, options: FollowOptions): Following {
  const { streams, onPage, onError } = options
  let { after } = options
  let failures = 0
  let stopped = false
  let pausing: NodeJS.Timeout | undefined

  const start = () =>
    store.subscribe({
      after,
      streams,
      onPage: async (page) => {
        await onPage(page, failures)
        after = page.upTo
        failures = 0
      },
      onError: (error) => {
        if (stopped) return
        onError(error)
        const pause = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]
        failures += 1
        pausing = setTimeout(() => {
          void subscription.stop()
          subscription = start()
        }, pause)
      },
    })

  let subscription = start()
  return {
    stop: async () => {
      stopped = true
      clearTimeout(pausing)
      await subscription.stop()
    },
  }
}
