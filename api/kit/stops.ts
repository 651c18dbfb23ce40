type Stop = () => Promise<void>

/** How what has been opened is closed again. */
export type Stops = {
  /** For something just opened. When all has been closed before, it is closed at once: nobody else will. */
  readonly add: (stop: Stop) => void
  /**
   * Closes everything, what was opened last first, and each thing whatever became of those before it. Rejects with AggregateError when
   * something could not be closed. May be called twice.
   */
  readonly run: () => Promise<void>
}

export function createStops(): Stops {
  const stops: Stop[] = []
  let running: Promise<void> | undefined
  let isOver = false

  async function runAll(): Promise<void> {
    const failures: unknown[] = []
    for (let stop = stops.pop(); stop !== undefined; stop = stops.pop())
      await stop().catch((error: unknown) => failures.push(error))
    isOver = true
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed')
  }

  return {
    add(stop) {
      if (isOver) void stop().catch(() => undefined)
      else stops.push(stop)
    },
    run: () => (running ??= runAll()),
  }
}
