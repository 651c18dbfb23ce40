import { Away } from '#eventstore/away'

/** Limit of a read that waits for the log, milliseconds: callers get an answer within ten seconds. */
const READ_WITHIN_MS = 9000

/** From then on, the log is checked this often, milliseconds. */
const CHECK_EVERY_MS = 1000

/**
 * Runs a read. Rejects with Away when the log is away after nine seconds, or later: the log itself waits longer, for the sake of
 * writes.
 */
export async function inTime<T>(work: () => Promise<T>, isLogAway: () => boolean, ms = READ_WITHIN_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const check = () => {
      if (isLogAway()) return reject(new Away('the log'))
      timer = setTimeout(check, CHECK_EVERY_MS)
    }
    timer = setTimeout(check, ms)
  })
  const read = work()
  read.catch(() => undefined)
  return Promise.race([read, late]).finally(() => clearTimeout(timer))
}
