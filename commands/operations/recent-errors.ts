/** An answer with 5xx, or a line of the log of level error (fine print 98). */
export type RecentError = {
  /** ISO 8601. */
  readonly at: string
  readonly request_id: string | null
  /** Method and route of an answer; null for a line of the log. */
  readonly route: string | null
  /** Status of an answer; null for a line of the log. */
  readonly status: number | null
  readonly message: string
}

/** Errors of this process that no store has taken so far. */
export type RecentErrors = {
  readonly add: (error: RecentError) => void
  /** Stores what was added. What a store does not take stays for the next time. */
  readonly storeBy: (store: (errors: readonly RecentError[]) => Promise<void>) => Promise<void>
}

/** As many as are kept in all: the oldest go first. */
const MOST = 200

/** Keeps the newest errors in memory: a store that is away delays no request and costs no memory. */
export function createRecentErrors(): RecentErrors {
  let waiting: readonly RecentError[] = []
  const keep = (errors: readonly RecentError[]) => (waiting = errors.slice(-MOST))
  return {
    add: (error) => void keep([...waiting, error]),
    async storeBy(store) {
      const taken = waiting
      waiting = []
      try {
        await store(taken)
      } catch (error) {
        keep([...taken, ...waiting])
        throw error
      }
    },
  }
}
