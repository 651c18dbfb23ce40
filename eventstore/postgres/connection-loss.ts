import { DatabaseError } from 'pg'

/** Connection exceptions, server shutting down or starting up, no free connection. */
const LOST = /^(08|57P|53300)/

/**
 * Whether the session, rather than the statement, failed: the server may or may not have done what was asked, and asking
 * again may succeed.
 */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof DatabaseError) return LOST.test(error.code ?? '')
  return error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError)
}
