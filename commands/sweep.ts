/**
 * Policies scan for campaigns whose facts no longer match the clock, the balance or the exchanges, and issue the command that
 * records it. They scan state instead of following events: after any downtime the next scan finds everything that is due. A
 * command that finds nothing to record appends nothing, so two processes that sweep at once do no harm (lifecycle.md "Time and
 * money").
 */
export type Sweep = {
  readonly name: string
  /** Scans for what is due now but for these keys, which failed and wait: they must not fill a scan. Items are taken concurrently. */
  readonly scan: (except: readonly string[]) => Promise<readonly Due[]>
  /**
   * Identifies the data that the scan depends on: after a scan that found nothing, the next one waits for a change. Absent where
   * the result also depends on the time.
   */
  readonly basis?: () => Promise<string>
}

/** One thing that is due. */
export type Due = {
  /** Names it among those of its sweep: what fails is passed over, and shown to operators, under this name. */
  readonly key: string
  readonly act: () => Promise<unknown>
}

/** Due items by their keys. */
export const due = <T>(found: readonly T[], keyOf: (one: T) => string, act: (one: T) => Promise<unknown>): readonly Due[] =>
  found.map((one) => ({ key: keyOf(one), act: () => act(one) }))

/**
 * Failures by sweep and key, for all processes and for operators. The fourth failure in a row parks an item: it is tried again
 * after longer and longer pauses, and all others go on (fine print 110).
 */
export type Failing = {
  readonly keys: (sweep: string) => Promise<readonly string[]>
  /** Those that are passed over now. */
  readonly waiting: (sweep: string) => Promise<readonly string[]>
  readonly failed: (sweep: string, key: string, error: unknown) => Promise<void>
  readonly succeeded: (sweep: string, keys: readonly string[]) => Promise<void>
}

export type SweeperDeps = {
  readonly sweeps: readonly Sweep[]
  /** Pause between rounds, milliseconds. */
  readonly intervalMs: number
  /** Rounds that find nothing follow after longer and longer pauses, up to this one; without it, all pauses are equal. */
  readonly idleMs?: number
  /** True while this process is the one that sweeps. */
  readonly leads: () => Promise<boolean>
  readonly onError: (sweep: string, error: unknown) => void
  readonly failing: Failing
  /** Whether an error says nothing about the item: something that all need is away or late. */
  readonly isPassing: (error: unknown) => boolean
  /** Resolves once scans see the effect of the commands before, so that nothing is issued twice. */
  readonly settled?: () => Promise<unknown>
  /** Called after each round of scans and their commands; tests wait for rounds. */
  readonly onRound?: (() => void) | undefined
}

/** Concurrent commands: their appends share commits, and a thousand campaigns that end at midnight take about a second. */
const CONCURRENCY = 32
/** A scan that returns this many has more to find: the next one follows without a pause. */
export const FULL_SCAN = 1000

export type Sweeper = {
  readonly stop: () => Promise<void>
  /** Something happened: the next round follows within the usual pause. */
  readonly stir: () => void
}

/** Runs all sweeps, one after the other, until stopped. A failing sweep is reported and retried; the others go on. */
export function startSweeper(deps: SweeperDeps): Sweeper {
  const { sweeps, intervalMs, idleMs = intervalMs, leads, onError, failing, isPassing, settled: shown, onRound = () => {} } = deps
  let stopped = false
  let wake: () => void = () => {}
  /** The basis of the last scan that found nothing. */
  const settled = new Map<Sweep, string>()
  /** Keys that failed when they were taken last. */
  const failed = new Map<Sweep, Set<string>>()

  /** Milliseconds until the next round; the usual pause while there is something to do. */
  let pauseMs = intervalMs
  let shorten: () => void = () => {}

  const pause = () =>
    new Promise<void>((resolve) => {
      const began = performance.now()
      let timer = setTimeout(resolve, pauseMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
      shorten = () => {
        clearTimeout(timer)
        timer = setTimeout(resolve, Math.max(0, intervalMs - (performance.now() - began)))
      }
    })

  /** True when a scan was full: there is more to do at once. */
  async function round(): Promise<boolean> {
    if (!(await leads().catch(() => false))) return false
    let most = 0
    for (const sweep of sweeps) {
      if (stopped) return false
      try {
        most = Math.max(most, await take(sweep))
      } catch (error) {
        onError(sweep.name, error)
      }
    }
    onRound()
    pauseMs = most > 0 ? intervalMs : Math.min(idleMs, pauseMs * 2)
    return most >= FULL_SCAN
  }

  /** Returns how many items were taken. */
  async function take(sweep: Sweep): Promise<number> {
    const basis = await sweep.basis?.()
    if (basis !== undefined && basis === settled.get(sweep)) return 0
    settled.delete(sweep)
    const bad = await failingOf(sweep)
    const waiting = bad.size === 0 ? [] : await failing.waiting(sweep.name)
    const found = (await sweep.scan(waiting)).filter(({ key }) => !waiting.includes(key))
    try {
      await act(sweep, found, bad)
    } finally {
      if (found.length > 0) await shown?.()
    }
    if (basis !== undefined && found.length === 0 && waiting.length === 0) settled.set(sweep, basis)
    return found.length
  }

  /** Keys that failed last time, also in the process before this one. */
  async function failingOf(sweep: Sweep): Promise<Set<string>> {
    const known = failed.get(sweep) ?? new Set(await failing.keys(sweep.name))
    failed.set(sweep, known)
    return known
  }

  /** Takes all of them, and then throws the first failure. */
  async function act({ name }: Sweep, found: readonly Due[], bad: Set<string>): Promise<void> {
    const waiting = found.values()
    const errors: unknown[] = []
    const mended: string[] = []
    async function one({ key, act: run }: Due): Promise<void> {
      try {
        await run()
        if (bad.delete(key)) mended.push(key)
      } catch (error) {
        errors.push(error)
        if (isPassing(error)) return
        bad.add(key)
        await failing.failed(name, key, error)
      }
    }
    async function worker(): Promise<void> {
      for (const item of waiting) {
        if (stopped) return
        await one(item).catch((error: unknown) => errors.push(error))
      }
    }
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, found.length) }, worker))
    if (mended.length > 0) await failing.succeeded(name, mended)
    if (errors.length > 0) throw errors[0]
  }

  const running = (async () => {
    while (!stopped) {
      const more = await round()
      if (!stopped && !more) await pause()
    }
  })()

  return {
    stir: () => {
      pauseMs = intervalMs
      shorten()
    },
    stop: async () => {
      stopped = true
      wake()
      await running
    },
  }
}
