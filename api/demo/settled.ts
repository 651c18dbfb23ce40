import { ReadModelsBehind, type CatchUp } from '#projections/catch-up'

/** How long read models may stand still while the demo waits for them, milliseconds. */
const SETTLE_MS = 30_000

export type SettledDeps = {
  readonly caughtUp: CatchUp
  /** How many events the read models are behind the log, all together. */
  readonly behind: () => Promise<bigint>
  readonly warn: (message: string) => void
  readonly signal: AbortSignal
}

/**
 * Waits until the read models have caught up with the log, for as long as they get nearer to it: a log may be restored without them.
 * Where no process keeps them up, the demo is filled all the same.
 */
export const createSettled =
  ({ caughtUp, behind, warn, signal }: SettledDeps) =>
  async (): Promise<void> => {
    const isThere = () =>
      caughtUp('all', { withinMs: SETTLE_MS }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ReadModelsBehind) return false
          throw error
        },
      )
    let before = await behind()
    while (!(await isThere())) {
      signal.throwIfAborted()
      const rest = await behind()
      if (rest >= before) return warn('read models are behind while the demo is filled: lists show it later')
      before = rest
    }
  }
