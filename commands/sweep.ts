/**
 * Policies scan for campaigns whose facts no longer match the clock, the balance or the exchanges, and issue the command that
 * records it. They scan state instead of following events: after any downtime the next scan finds everything that is due. A
 * command that finds nothing to record appends nothing, so two processes that sweep at once do no harm (lifecycle.md "Time and
 * money").
 */
export type Sweep = {
  readonly name: string
  /** Scans for what is due now; returns the commands that record it. They are issued concurrently. */
  readonly scan: () => Promise<readonly (() => Promise<unknown>)[]>
  /**
   * Identifies the data that the scan depends on: after a scan that found nothing, the next one waits for a change. Absent where
   * the result also depends on the time.
   */
  readonly basis?: () => Promise<string>
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
  const { sweeps, intervalMs, idleMs = intervalMs, leads, onError, settled: shown, onRound = () => {} } = deps
  let stopped = false
  let wake: () => void = () => {}
  /** The basis of the last scan that found nothing. */
  const settled = new Map<Sweep, string>()

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

  /** Returns how many commands were issued. */
  async function take(sweep: Sweep): Promise<number> {
    const basis = await sweep.basis?.()
    if (basis !== undefined && basis === settled.get(sweep)) return 0
    settled.delete(sweep)
    const commands = await sweep.scan()
    try {
      await issue(commands)
    } finally {
      if (commands.length > 0) await shown?.()
    }
    if (basis !== undefined && commands.length === 0) settled.set(sweep, basis)
    return commands.length
  }

  /** Issues all of them, and then throws the first failure. */
  async function issue(commands: readonly (() => Promise<unknown>)[]): Promise<void> {
    const waiting = commands.values()
    const failures: unknown[] = []
    async function worker(): Promise<void> {
      for (const command of waiting) {
        if (stopped) return
        await command().catch((error: unknown) => failures.push(error))
      }
    }
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, commands.length) }, worker))
    if (failures.length > 0) throw failures[0]
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
