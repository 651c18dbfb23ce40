import { Piscina } from 'piscina'
import { TooMany } from '#commands/refused'
import { Away } from '#eventstore/away'
import { askerNow } from '../database/lanes.ts'
import { createTurns, Left } from '../database/turns.ts'

/** Work of an account that waits. */
const MOST_WAITING = 16
const RETRY_SECONDS = 5
/** A thread costs memory: it ends when it has nothing to do for this long. */
const IDLE_MS = 30_000
/** No honest file takes as long. A thread that is stuck would keep every account from its turn. */
const LONGEST_MS = 120_000

/** The work took too long, and its thread was ended: 503 with Retry-After. */
class TookTooLong extends Away {
  constructor() {
    super('A thread for this file')
    this.name = 'TookTooLong'
  }
}

/** Threads start where `thread.ts` says. */
export const THREAD_OPTIONS = {
  filename: import.meta.url.endsWith('.js')
    ? new URL('./thread.js', import.meta.url).href
    : new URL('./thread-from-source.mjs', import.meta.url).href,
  minThreads: 0,
  idleTimeout: IDLE_MS,
  execArgv: [],
}

export type ThreadPool = ReturnType<typeof createThreadPool>

/** Threads that work on one file each. Accounts have their turns, and what a client no longer waits for is left out. */
export function createThreadPool(atOnce: number, longestMs = LONGEST_MS) {
  const pool = new Piscina({ ...THREAD_OPTIONS, maxThreads: atOnce })
  const turns = createTurns(atOnce)

  /**
   * The result of a function of `thread.ts`. Rejects with TooMany while too much of the account waits, and with Left when its client
   * leaves. `endable`: whether its thread is ended then. Native code goes on after the end of its thread, without a limit of how often.
   */
  async function run<T>(name: string, of: unknown, endable: boolean): Promise<T> {
    const { account, gone, sender } = askerNow()
    const left = gone ?? sender
    if (turns.waiting(account) >= MOST_WAITING) throw new TooMany(RETRY_SECONDS)
    const giveBack = await turns.take(account, left)
    const late = AbortSignal.timeout(longestMs)
    const signal = endable && left !== undefined ? AbortSignal.any([left, late]) : late
    try {
      return await pool.run(of, { name, signal })
    } catch (error) {
      if (late.aborted) throw new TookTooLong()
      throw endable && left?.aborted === true ? new Left() : error
    } finally {
      giveBack()
    }
  }

  return { run, close: () => pool.destroy() }
}
