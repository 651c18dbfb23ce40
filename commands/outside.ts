import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { Away } from '#eventstore/away'

/** A service outside this process, such as a ClickHouse server, that may be away while the product runs. */
export type Outside = {
  readonly name: string
  readonly isAway: () => boolean
  /**
   * Runs a call to it. Rejects with Away at once while it is away, as soon as it goes away during the call, and after 9 s without
   * a result. Other errors pass.
   */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
  /** The same for each page of an answer. A reader that stops early ends the answer. */
  readonly pages: <T>(source: AsyncIterable<T>) => AsyncIterable<T>
  /**
   * Runs a call that can wait for it: rejects with Away once it has been away for the time of `waitMs`. The call itself may take any
   * time and its errors pass.
   */
  readonly wait: <T>(work: () => Promise<T>) => Promise<T>
  /** The same for a call that may not need it: then it is still tried for 200 ms. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<T>
  readonly stop: () => void
}

export type OutsideOptions = {
  /** As operators know it, e.g. `ClickHouse`. */
  readonly name: string
  /** Asks it for any answer. */
  readonly ping: () => Promise<unknown>
  /** Whether an error means that it is away, as opposed to an error in what was asked. */
  readonly isAbsence: (error: unknown) => boolean
  /** Whether an error means that it is there and cannot do this now: only this call fails. */
  readonly isBusy: (error: unknown) => boolean
  /** Cause in the log of an absence that a call found; its code or its message without it. */
  readonly causeOf?: (error: unknown) => string
  /** Pause between two pings, milliseconds; a second without it. A call that takes longer than a second causes one as well. */
  readonly askEveryMs?: number
  /** How long a ping may take before the service counts as away, milliseconds; about two seconds without it. */
  readonly answerWithinMs?: () => number
  /** How long calls of `wait` wait for it while it is away, milliseconds; not at all without it. */
  readonly waitMs?: number
  /** Text of the log about the time while it is away. */
  readonly whileAway?: string
  readonly logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
}

/** It is asked this often, and is away after this long without an answer: three seconds at most until it is noticed, milliseconds. */
const ASK_EVERY_MS = 1000
const ANSWER_WITHIN_MS = 1900
/** After this process itself was paused, an answer that has arrived is still read. */
const GRACE_MS = 100
/** Limit of one call, milliseconds: callers get an answer within ten seconds. */
const CALL_WITHIN_MS = 9000
const ATTEMPT_MS = 200

/** Watches a service outside: the log says once when it went away and when it came back. */
export function watchOutside(options: OutsideOptions): Outside {
  const { name, ping, isAbsence, isBusy, causeOf, logger, askEveryMs = ASK_EVERY_MS, waitMs = 0 } = options
  const { answerWithinMs = () => ANSWER_WITHIN_MS } = options
  const { whileAway = 'What needs it answers 503 until it is back' } = options
  let wentAt: number | null = null
  let isStopped = false
  /** Rejects the calls in progress. */
  const inProgress = new Set<(error: Away) => void>()
  /** Rejects the calls that wait for it. */
  const waiting = new Set<(error: Away) => void>()
  let endOfWait: NodeJS.Timeout | undefined

  function went(cause: unknown): void {
    if (wentAt !== null || isStopped) return
    wentAt = Date.now()
    logger.error(`${name} is away: ${reasonOf(cause)}. ${whileAway}`)
    for (const reject of inProgress) reject(new Away(name))
    endOfWait = setTimeout(() => {
      for (const reject of waiting) reject(new Away(name))
    }, waitMs).unref()
  }

  function isBack(): void {
    if (wentAt === null || isStopped) return
    logger.warn(`${name} is back after ${Math.round((Date.now() - wentAt) / 1000)} s`)
    wentAt = null
    clearTimeout(endOfWait)
  }

  async function ask(): Promise<void> {
    isAsking = true
    const pinged = ping()
    const late = async () => {
      const limit = answerWithinMs()
      await delay(limit, undefined, { ref: false })
      await delay(GRACE_MS, undefined, { ref: false })
      throw new Error(`no answer in ${Math.round((limit + GRACE_MS) / 100) / 10} s`)
    }
    await Promise.race([pinged, late()]).then(isBack, went)
    isAsking = false
    if (!isStopped) timer = setTimeout(() => void ask(), askEveryMs).unref()
  }
  let isAsking = false
  let timer = setTimeout(() => void ask(), askEveryMs).unref()

  /** A call takes long: whether the service is there is asked before the next ping is due. */
  function askEarly(): void {
    if (isAsking || isStopped) return
    clearTimeout(timer)
    void ask()
  }

  async function run<T>(work: () => Promise<T>): Promise<T> {
    if (wentAt !== null) throw new Away(name)
    let reject: (error: Away) => void = () => {}
    const lost = new Promise<never>((_, rejected) => inProgress.add((reject = rejected)))
    const long = setTimeout(askEarly, ASK_EVERY_MS).unref()
    try {
      return await limited(Promise.race([work(), lost]), CALL_WITHIN_MS, () => new Away(name))
    } catch (error) {
      if (!isAbsence(error) && !isBusy(error)) throw error
      if (isAbsence(error)) went(causeOf === undefined ? error : new Error(causeOf(error)))
      throw new Away(name, { cause: error })
    } finally {
      clearTimeout(long)
      inProgress.delete(reject)
    }
  }

  const isOverdue = (): boolean => wentAt !== null && Date.now() - wentAt >= waitMs

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    return isOverdue() ? limited(work(), ATTEMPT_MS, () => new Away(name)) : wait(work)
  }

  async function wait<T>(work: () => Promise<T>): Promise<T> {
    if (isOverdue()) throw new Away(name)
    let reject: (error: Away) => void = () => {}
    const lost = new Promise<never>((_, rejected) => waiting.add((reject = rejected)))
    const working = work()
    // A failure after it was given up is of no use to anyone.
    working.catch(() => undefined)
    return Promise.race([working, lost]).finally(() => waiting.delete(reject))
  }

  async function* pages<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = source[Symbol.asyncIterator]()
    let isOver = false
    try {
      for (;;) {
        const page = await run(() => iterator.next())
        isOver = page.done === true
        if (page.done === true) return
        yield page.value
      }
    } finally {
      // Not awaited: an iterator that waits for the service returns when its connection ends.
      if (!isOver) void iterator.return?.().catch(() => undefined)
    }
  }

  return {
    name,
    isAway: () => wentAt !== null,
    run,
    pages,
    wait,
    attempt,
    stop() {
      isStopped = true
      clearTimeout(endOfWait)
      clearTimeout(timer)
    },
  }
}

/** Result of the work; `instead` while the service is away, or when it goes away during the work. */
export const unlessAway = async <T>(
  outside: Outside | null,
  work: () => Promise<readonly T[]>,
  instead: readonly T[] = [],
): Promise<readonly T[]> =>
  outside === null
    ? work()
    : outside.run(work).catch((error: unknown) => {
        // Errors of the projector's thread have lost their class.
        if (error instanceof Away || outside.isAway()) return instead
        throw error
      })

/** A code such as ECONNREFUSED, or the message: neither holds an address with a secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it does not answer'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

async function limited<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms)
  })
  // A failure after it was given up is of no use to anyone.
  work.catch(() => undefined)
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
