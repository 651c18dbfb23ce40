/**
 * Policies look for campaigns whose facts no longer are what clock, balance or exchanges say, and issue the command that
 * records it. They sweep state instead of following events: after any downtime the next look finds all that is due, and a
 * command that finds nothing to record appends nothing, so two processes sweeping at once do no harm (lifecycle "Time and money").
 */
export type Sweep = {
  readonly name: string
  /** Scans for what is due now; returns the commands that record it. They are issued several at a time. */
  readonly look: () => Promise<readonly (() => Promise<unknown>)[]>
  /**
   * What a look would find follows from this alone: while it is as it was when nothing was found, nobody looks. Absent where more
   * than the database decides, as time does.
   */
  readonly basis?: () => Promise<string>
}

export type SweeperDeps = {
  readonly sweeps: readonly Sweep[]
  /** Pause between rounds, milliseconds. */
  readonly intervalMs: number
  /** True while this process is the one that sweeps; the others only wait. */
  readonly leads: () => Promise<boolean>
  readonly onError: (sweep: string, error: unknown) => void
  /** Resolves once scans show what the commands before have done, so that nothing is issued twice. */
  readonly settled?: () => Promise<unknown>
}

/** Commands under way at once: appends then share their commits, and a thousand campaigns that end at one midnight take about a second. */
const CONCURRENCY = 32
/** A scan that returns so many has more to find: the next one follows without a pause. */
export const FULL_SCAN = 1000

export type Sweeper = { readonly stop: () => Promise<void> }

/**
 * A look is followed by a rest that is so many times as long: whatever there is to look through, a twentieth of the time goes into it.
 * The more it found, the shorter the rest. How long a look is says the shorter of the last two that found as much: one that was held
 * up once, by a machine that was busy, looked through no more than the other.
 */
const REST = 19

/** Sweeps in turn until stopped. A failing sweep is reported and tried again; it never holds up the others. */
export function startSweeper({ sweeps, intervalMs, leads, onError, settled: shown }: SweeperDeps): Sweeper {
  let stopped = false
  let wake: () => void = () => {}
  const restsUntil = new Map<Sweep, number>()
  /** How long the last look took, milliseconds, and how much it found. */
  const last = new Map<Sweep, { readonly took: number; readonly found: number }>()
  /** Basis on which nothing was found. */
  const settled = new Map<Sweep, string>()

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, intervalMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  /** True when a scan was full: there is more to do at once. */
  async function round(): Promise<boolean> {
    if (!(await leads().catch(() => false))) return false
    let more = false
    for (const sweep of sweeps) {
      if (stopped) return false
      try {
        if (performance.now() >= (restsUntil.get(sweep) ?? 0)) more = (await take(sweep)) >= FULL_SCAN || more
      } catch (error) {
        onError(sweep.name, error)
      }
    }
    return more
  }

  /** Returns how many commands were issued. */
  async function take(sweep: Sweep): Promise<number> {
    const basis = await sweep.basis?.()
    if (basis !== undefined && basis === settled.get(sweep)) return 0
    settled.delete(sweep)
    const begun = performance.now()
    const commands = await sweep.look()
    const ended = performance.now()
    const [took, found] = [ended - begun, commands.length]
    const before = last.get(sweep) ?? { took: 0, found }
    const usual = before.found === found ? Math.min(took, before.took) : took
    restsUntil.set(sweep, ended + (REST * usual) / (1 + found))
    last.set(sweep, { took, found })
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
    stop: async () => {
      stopped = true
      wake()
      await running
    },
  }
}
