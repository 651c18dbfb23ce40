import { TooMany } from '#commands/refused'
import type { ServerResponse } from 'node:http'
import { atClose } from '../at-close.ts'

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
    const closed = new Promise<void>((resolve) => atClose(response, resolve))
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
