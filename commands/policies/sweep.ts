/**
 * Policies look for campaigns whose facts no longer are what clock, balance or exchanges say, and issue the command that
 * records it. They sweep state instead of following events: after any downtime the next look finds all that is due, and a
 * command that finds nothing to record appends nothing, so two processes sweeping at once do no harm (lifecycle "Time and money").
 */
export type Sweep = {
  readonly name: string
  /** Does what is due now; answers how many campaigns it touched. */
  readonly run: () => Promise<number>
}

export type SweeperDeps = {
  readonly sweeps: readonly Sweep[]
  /** Pause between looks that found nothing, milliseconds. */
  readonly intervalMs: number
  /** True while this process is the one that sweeps; the others only wait. */
  readonly leads: () => Promise<boolean>
  readonly onError: (sweep: string, error: unknown) => void
}

export type Sweeper = { readonly stop: () => Promise<void>; readonly wake: () => void }

/** Sweeps in turn until stopped. A failing sweep is reported and tried again; it never holds up the others. */
export function startSweeper({ sweeps, intervalMs, leads, onError }: SweeperDeps): Sweeper {
  let stopped = false
  let wake: () => void = () => {}

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, intervalMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function round(): Promise<void> {
    if (!(await leads().catch(() => false))) return
    for (const sweep of sweeps) {
      if (stopped) return
      try {
        await sweep.run()
      } catch (error) {
        onError(sweep.name, error)
      }
    }
  }

  const running = (async () => {
    while (!stopped) {
      await round()
      if (!stopped) await pause()
    }
  })()

  return {
    wake: () => wake(),
    stop: async () => {
      stopped = true
      wake()
      await running
    },
  }
}
