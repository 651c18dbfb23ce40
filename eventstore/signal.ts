/** Wakes all waiters. The count prevents a lost wake-up between a check and the wait that follows it. */
export type Signal = {
  readonly count: () => number
  readonly raise: () => void
  /** Resolves when raised after `seen`, an earlier count, or after `ms` milliseconds. */
  readonly wait: (seen: number, ms: number) => Promise<void>
}

export function createSignal(): Signal {
  let raised = 0
  const waiting = new Set<() => void>()
  return {
    count: () => raised,
    raise: () => {
      raised += 1
      for (const wake of waiting) wake()
    },
    wait: (seen, ms) => {
      if (raised !== seen) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = (): void => {
          clearTimeout(timer)
          waiting.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        waiting.add(wake)
      })
    },
  }
}
