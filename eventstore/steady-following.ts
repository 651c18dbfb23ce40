import type { EventStore, Page, Position, StoredEvent } from './event-store.ts'

/** After so many failures of a page its events are handled one by one. */
const APART_AFTER = 4
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
  /** Where `onPage` looks into events: without it one that cannot be handled would hold up all after it for ever. */
  readonly apart?: {
    /** Whether the content of an event caused the failure. */
    readonly isOfEvent: (error: unknown) => boolean
    /** Keeps an event that cannot be handled for a later try; the log goes on after it. */
    readonly park: (event: StoredEvent, error: unknown) => Promise<void>
  }
}

export type Following = {
  /** Resolves after the current page; no call follows. */
  readonly stop: () => Promise<void>
}

/** A subscription that survives errors: it resumes after the last processed page, with growing pauses. */
export function followSteadily(store: Pick<EventStore, 'subscribe'>, options: FollowOptions): Following {
  const { streams, onPage, onError, apart } = options
  let { after } = options
  let failures = 0
  let isOfEvent = false
  let stopped = false
  let pausing: NodeJS.Timeout | undefined

  const start = () =>
    store.subscribe({
      after,
      streams,
      onPage: async (page) => {
        if (isOfEvent && failures >= APART_AFTER) await onEach(page)
        else await onPage(page, failures)
        after = page.upTo
        failures = 0
      },
      onError: (error) => {
        if (stopped) return
        onError(error)
        isOfEvent = apart?.isOfEvent(error) === true
        const pause = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]
        failures += 1
        pausing = setTimeout(() => {
          void subscription.stop()
          subscription = start()
        }, pause)
      },
    })

  async function onEach({ events, upTo }: Page): Promise<void> {
    for (const event of events)
      try {
        await onPage({ events: [event], upTo: event.position }, 0)
        after = event.position
      } catch (error) {
        if (apart?.isOfEvent(error) !== true) throw error
        await apart.park(event, error)
      }
    await onPage({ events: [], upTo }, 0)
  }

  let subscription = start()
  return {
    stop: async () => {
      stopped = true
      clearTimeout(pausing)
      await subscription.stop()
    },
  }
}
