/** How often changes are polled, milliseconds. */
const EVERY_MS = 1000
/** How far each poll reaches back, seconds: a row has the time of its write, and commits later. What was reported is not reported again. */
export const REACH_SECONDS = 10

type Listener = { readonly key: string; readonly notify: () => void }

/** The newest change of each key in the reach, as `<time> <number of rows>`. */
export type LastChanges = readonly { readonly key: string; readonly last: string }[]

export type PolledChanges = {
  /** Reports changes of this key, from now on, until the returned function is called. */
  readonly listen: (key: string, notify: () => void) => () => void
  readonly stop: () => Promise<void>
}

/** Polls for changes while there are listeners. One for each process: any process may write them, and PostgreSQL has all. */
export function createPolledChanges(
  load: (keys: readonly string[]) => Promise<LastChanges>,
  onError: (error: unknown) => void,
): PolledChanges {
  const listeners = new Set<Listener>()
  /** The last change that was reported, by key. */
  let reported = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> = Promise.resolve()

  async function poll(): Promise<void> {
    try {
      const rows = await load([...new Set([...listeners].map(({ key }) => key))])
      const fresh = rows.filter(({ key, last }) => isNewer(reported.get(key), last)).map(({ key }) => key)
      reported = new Map(rows.map(({ key, last }) => [key, last]))
      for (const { key, notify } of listeners) if (fresh.includes(key)) notify()
    } catch (error) {
      onError(error)
    }
    schedule()
  }

  function schedule(): void {
    clearTimeout(timer)
    if (listeners.size === 0) return
    timer = setTimeout(() => {
      polling = poll()
    }, EVERY_MS)
    timer.unref()
  }

  return {
    listen(key, notify) {
      const listener = { key, notify }
      listeners.add(listener)
      if (listeners.size === 1) void polling.then(schedule)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) clearTimeout(timer)
      }
    },
    async stop() {
      listeners.clear()
      clearTimeout(timer)
      await polling
    },
  }
}

/** A row that left the reach changes the count alone: that is no change. */
const isNewer = (before: string | undefined, last: string): boolean => {
  if (before === undefined) return true
  const [at = '', count = '0'] = last.split(/ (?=\d+$)/)
  const [atBefore = '', countBefore = '0'] = before.split(/ (?=\d+$)/)
  return at !== atBefore || Number(count) > Number(countBefore)
}
