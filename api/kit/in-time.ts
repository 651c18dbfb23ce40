import { Away } from '../../eventstore/away.ts'

/** Limit of a read that waits for the log, milliseconds: callers get an answer within ten seconds. */
const READ_WITHIN_MS = 9000

/**
 * Runs a read. Rejects with Away after nine seconds when the log is away then: the log itself waits longer, for the sake of
 * writes.
 */
export async function inTime<T>(work: () => Promise<T>, isLogAway: () => boolean, ms = READ_WITHIN_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => isLogAway() && reject(new Away('the log')), ms)
  })
  const read = work()
  read.catch(() => undefined)
  return Promise.race([read, late]).finally(() => clearTimeout(timer))
}
