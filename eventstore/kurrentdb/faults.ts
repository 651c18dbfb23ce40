import {
  CancelledError,
  DeadlineExceededError,
  NotLeaderError,
  TimeoutError,
  UnavailableError,
  UnknownError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { Silent } from './deadline.ts'

/** Acknowledged, but not readable yet. */
export class NotShownYet extends Error {}

/** Errors after which the same call may succeed, and an append may have happened: network, restart, change of leader. */
const PASSING = [
  CancelledError,
  DeadlineExceededError,
  NotLeaderError,
  NotShownYet,
  Silent,
  TimeoutError,
  UnavailableError,
  UnknownError,
]
/** Message of the client's plain error when no node of the cluster answers. */
const NO_WAY = /^Failed to discover /

export const passes = (error: unknown): boolean =>
  PASSING.some((kind) => error instanceof kind) || (error instanceof Error && NO_WAY.test(error.message))

export const isWrongRevision = (error: unknown): boolean => error instanceof WrongExpectedVersionError

const RETRY_FOR_MS = 15_000
const RETRY_MS = [10, 25, 50, 100, 250, 500, 1000] as const
export const pauseAfter = (failures: number): number => RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0

/** Retries transient errors; throws the last one after fifteen seconds, or when `given up` is true. */
export async function retrying<T>(attempt: () => Promise<T>, givenUp: () => boolean = () => false): Promise<T> {
  const deadline = Date.now() + RETRY_FOR_MS
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      if (!passes(error) || givenUp() || Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseAfter(failures)))
    }
  }
}
