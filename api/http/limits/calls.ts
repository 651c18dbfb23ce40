import { TooMany } from '#commands/refused'
import { createTurns } from '#platform/database/turns'
import type { ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'

/** Calls of a user per minute that a process answers: a screen makes some tens. */
export const CALLS_PER_MINUTE = 12_000
/** Calls of all users of an account per minute that a process answers. */
export const ACCOUNT_CALLS_PER_MINUTE = 36_000
/** Heavy calls of an account, such as reports, that a process answers at once: a page of reports makes eight. */
export const HEAVY_CALLS = 24
/** Downloads of a user that a process serves at once. */
export const DOWNLOADS = 4
/** Calls of a service's credential that a process answers at once, streams apart. */
export const SERVICE_CALLS = 64
/** Downloads of a service's credential, such as members of audiences, that a process serves at once. */
export const SERVICE_DOWNLOADS = 8
/** Uploads of an account that a process receives at once. */
export const UPLOADS = 16
/** Calls of an account of each kind but reports that a process works on at once; the others wait without being read. */
export const CALLS_AT_ONCE = 3
/** Calls of an account that wait. */
const MOST_WAITING = 500
/** Requests of an account for apps and sites that a catalogue lacks. */
export const RESOURCE_REQUESTS = { limit: 100, seconds: 86_400 }
/** Longest download or upload, milliseconds. */
const LONGEST_MS = 600_000
const RETRY_SECONDS = 5

/** Counts calls by user and by account, in this process alone: a call must not cost a write. Throws TooMany beyond a limit. */
export function createCallLimit(now: () => number = Date.now) {
  let minute = 0
  const made = new Map<string, number>()
  return (user: string, account: string): void => {
    const current = Math.floor(now() / 60_000)
    if (current !== minute) {
      made.clear()
      minute = current
    }
    const counts = [
      { key: `user ${user}`, limit: CALLS_PER_MINUTE },
      { key: `account ${account}`, limit: ACCOUNT_CALLS_PER_MINUTE },
    ].map((one) => ({ ...one, count: (made.get(one.key) ?? 0) + 1 }))
    if (counts.some(({ count, limit }) => count > limit)) throw new TooMany(Math.ceil(60 - (now() % 60_000) / 1000))
    for (const { key, count } of counts) made.set(key, count)
  }
}

/** What a call waits for: reads do not wait for a slow log, and nothing else waits for slow clients and long reports. */
export type CallKind = 'reads' | 'writes' | 'reports' | 'uploads'

/** A turn ends after this long, though its call goes on: a slow client must not keep the others of its account waiting. */
const LONGEST_TURN_MS = 2000
/** Longest pause between two turns. */
const LONGEST_PAUSE_MS = 250

/**
 * Gives the calls of an account their turns: however many it makes, few of them are between two steps of another account's call.
 * While the process is busy, an account whose calls wait also pauses after each for as long as it took: half of a process at most
 * is one account's. Resolves with the function that ends the turn; rejects with Left when the client leaves, throws TooMany when
 * too many wait.
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
    const { take, waiting } = turns[kind]
    if (waiting(account) >= MOST_WAITING) throw new TooMany(RETRY_SECONDS)
    const giveBack = await take(account, gone)
    const began = performance.now()
    const longest = setTimeout(giveBack, LONGEST_TURN_MS).unref()
    return () => {
      clearTimeout(longest)
      if (waiting(account) === 0 || !isBusy()) return giveBack()
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

/**
 * Limits the downloads of a user, or the uploads or heavy calls of an account, at one time, and the duration of each. One counts until its work is
 * done and its connection is closed: an answer that the client gave up may still be prepared.
 */
export function createTransferLimit(most: number, longestMs = LONGEST_MS) {
  const open = new Map<string, number>()
  return async function transfer<T>(owner: string, response: ServerResponse, work: () => Promise<T>): Promise<T> {
    const count = open.get(owner) ?? 0
    if (count >= most) throw new TooMany(RETRY_SECONDS)
    open.set(owner, count + 1)
    const timer = setTimeout(() => response.destroy(), longestMs).unref()
    const closed = new Promise<void>((resolve) => void response.once('close', resolve))
    const working = work()
    void Promise.allSettled([working, closed]).then(() => {
      clearTimeout(timer)
      const rest = (open.get(owner) ?? 1) - 1
      if (rest === 0) open.delete(owner)
      else open.set(owner, rest)
    })
    return working
  }
}
