import { performance } from 'node:perf_hooks'
import { TooMany } from '#commands/refused'
import { createTurns } from '../database/turns.ts'

/** Calls of an account of each kind but reports that a process works on at once; the others wait without being read. */
const CALLS_AT_ONCE = 3
/** Calls of an account that wait. */
const MOST_WAITING = 500
const RETRY_SECONDS = 5
/** Queue of a call: reads do not wait for a slow log, and nothing else waits for slow clients and long reports. */
export type CallKind = 'reads' | 'writes' | 'reports' | 'uploads'

/** Longest wait for a turn: a caller gets an answer before it gives up. Turns end, so the refusal comes as the next one does. */
const LONGEST_WAIT_MS = 30_000
/** A turn ends after this long, though its call goes on: a slow client must not keep the others of its account waiting. */
const LONGEST_TURN_MS = 2000
/** Longest pause between two turns. */
const LONGEST_PAUSE_MS = 250

/**
 * Gives the calls of an account their turns: however many it makes, few of them are between two steps of another account's call.
 * While the process is busy, an account whose calls wait also pauses after each for as long as it took: half of a process at most
 * is one account's. Resolves with the function that ends the turn; rejects with Left when the client leaves, throws TooMany when
 * too many wait, or after the longest wait.
 */
export function createCallTurns(reports: number, calls = CALLS_AT_ONCE, isBusy: () => boolean = createLoad()) {
  const turnsOf = (atOnce: number) => createTurns(Infinity, atOnce)
  const turns: Readonly<Record<CallKind, ReturnType<typeof turnsOf>>> = {
    reads: turnsOf(calls),
    writes: turnsOf(calls),
    reports: turnsOf(reports),
    uploads: turnsOf(calls),
  }
  return async (kind: CallKind, account: string, gone: AbortSignal): Promise<() => void> => {
    const places = turns[kind]
    if (places.waiting(account) >= MOST_WAITING) throw new TooMany(RETRY_SECONDS)
    const giveBack = await places.take(account, gone, performance.now() + LONGEST_WAIT_MS)
    const began = performance.now()
    const longest = setTimeout(giveBack, LONGEST_TURN_MS).unref()
    return () => {
      clearTimeout(longest)
      if (places.waiting(account) === 0 || !isBusy()) return giveBack()
      setTimeout(giveBack, Math.min(performance.now() - began, LONGEST_PAUSE_MS))
    }
  }
}

/** Part of the time that the event loop works, above which the process is busy. */
const BUSY = 0.7
const OVER_MS = 200

/** Whether the event loop was busy over the last moments. */
function createLoad(): () => boolean {
  let since = performance.eventLoopUtilization()
  let [at, isBusy] = [performance.now(), false]
  return () => {
    if (performance.now() - at < OVER_MS) return isBusy
    isBusy = performance.eventLoopUtilization(since).utilization > BUSY
    since = performance.eventLoopUtilization()
    at = performance.now()
    return isBusy
  }
}
