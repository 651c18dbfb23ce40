import { NotLeaderError, WrongExpectedVersionError } from '@eventstore/db-client'
import { Silent } from './deadline.ts'

/** Codes of gRPC. */
export const STATUS = {
  CANCELLED: 1,
  UNKNOWN: 2,
  DEADLINE_EXCEEDED: 4,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  ABORTED: 10,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const

/** Codes after which the same call may succeed, and an append may have happened: network, restart, change of leader. */
const PASSING: readonly number[] = [
  STATUS.CANCELLED,
  STATUS.UNKNOWN,
  STATUS.DEADLINE_EXCEEDED,
  STATUS.RESOURCE_EXHAUSTED,
  STATUS.ABORTED,
  STATUS.INTERNAL,
  STATUS.UNAVAILABLE,
]
/** Messages of plain errors: no node of the cluster answers, or the client closed the connection under the call. */
const PASSING_MESSAGE = /^Failed to discover |write after end|premature close|has been shut ?down/i

/** The code of gRPC; null for an error of another kind. */
export const codeOf = (error: unknown): number | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null

/** Whether another node leads. The client does not convert every error: some are those of gRPC. */
export function isNotLeader(error: unknown): boolean {
  if (error instanceof NotLeaderError) return true
  if (!(error instanceof Error) || !('metadata' in error)) return false
  const { metadata } = error as { readonly metadata?: { readonly getMap?: () => Readonly<Record<string, unknown>> } }
  return String(metadata?.getMap?.()['exception']) === 'not-leader'
}

export const passes = (error: unknown): boolean =>
  error instanceof Silent ||
  isNotLeader(error) ||
  PASSING.includes(codeOf(error) ?? -1) ||
  (error instanceof Error && PASSING_MESSAGE.test(error.message))

export const isWrongRevision = (error: unknown): boolean => error instanceof WrongExpectedVersionError
