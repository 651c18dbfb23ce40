import { Away } from './away.ts'

/** How long a call on the log waits for one that is away, milliseconds: an ordinary failover is over by then. */
export const RETRY_FOR_MS = 30_000
const PAUSES_MS = [10, 25, 50, 100, 250, 500, 1000] as const

export const pauseAfter = (failures: number): number => PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0

export type RetryOptions = {
  /** Name of the log, as operators know it. */
  readonly name: string
  /** Whether the same call may succeed later. It must be one that may be made twice. */
  readonly passes: (error: unknown) => boolean
  readonly isClosed: () => boolean
  /** In total, milliseconds; by default RETRY_FOR_MS. */
  readonly forMs?: number
}

/**
 * Retries a call on a log that is away. Rejects with Away after 30 s, also during an attempt, whose answer is then ignored. Other
 * errors pass at once.
 */
export async function retryWhileAway<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { name, passes, isClosed, forMs = RETRY_FOR_MS } = options
  let cause: unknown
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Away(name, { cause })), forMs)
  })
  const retrying = async () => {
    for (let failures = 0; ; failures++) {
      try {
        return await attempt()
      } catch (error) {
        cause = error
        if (!passes(error) || isClosed() || isOver) throw error
        await new Promise((resolve) => setTimeout(resolve, pauseAfter(failures)))
        // The caller may have been answered during the pause.
        if (isOver || isClosed()) throw error
      }
    }
  }
  const work = retrying()
  work.catch(() => undefined)
  return Promise.race([work, late]).finally(() => {
    isOver = true
    clearTimeout(timer)
  })
}
