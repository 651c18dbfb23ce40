type Stop = () => Promise<void>

/** Closes opened resources. */
export type Stops = {
  /** Registers a resource just opened. After `close`, it is closed immediately. */
  readonly add: (stop: Stop) => void
  /**
   * Closes everything in reverse order of opening, even when an earlier close failed. Rejects with AggregateError when
   * anything could not be closed. May be called twice.
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
