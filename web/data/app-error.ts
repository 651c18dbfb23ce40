import type { z } from '#contract/zod'
import type { fault } from '#contract/http'

export type ServerFault = z.output<typeof fault>

/** Client-side error codes that no server sends, for failures before or around an answer. */
export const OFFLINE = -1
export const UNREADABLE = -2
export const NO_ANSWER = -3

/** True for a call that never reached the server. */
export const isOffline = (error: unknown): boolean => error instanceof AppError && error.code === OFFLINE
/** True for a record that does not exist, or not for this user. */
export const isMissing = (error: unknown): boolean => error instanceof AppError && error.status === 404
/** True for a refusal of staff at an address from which their white-label does not let them work. */
export const isOutside = (error: unknown): boolean => error instanceof AppError && saysOutside(error.data)
/** Whether the data of a refusal says so. */
export const saysOutside = (data: unknown): boolean => typeof data === 'object' && data !== null && 'outside_networks' in data
/** Not sent: another tab signed in as someone else, switched accounts or signed out. */
export const SESSION_CHANGED = -4

/** Not carried out: the user did not prove that they are still there. */
export const NOT_PROVED = -5

/** A refused or failed call: code and message of the envelope, and every fault of the request. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: number
  readonly key: string
  readonly status: number
  readonly faults: readonly ServerFault[]
  /** Further data of the refusal, for screens that know it. */
  readonly data: unknown
  /** The id of the request, by which support finds it in the log; null when the answer had none. */
  readonly requestId: string | null
  constructor(answer: {
    code: number
    key: string
    message: string
    status: number
    faults?: readonly ServerFault[]
    data?: unknown
    requestId?: string | null
  }) {
    super(answer.message)
    this.code = answer.code
    this.key = answer.key
    this.status = answer.status
    this.faults = answer.faults ?? []
    this.data = answer.data
    this.requestId = answer.requestId ?? null
  }
}

/** Code of an unexpected error for support: the id of its request. Null for refusals, which say what to do next. */
export const supportCodeOf = (error: unknown): string | null =>
  error instanceof AppError && (error.status >= 500 || error.code === UNREADABLE) ? error.requestId : null
