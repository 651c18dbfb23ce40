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

/** Errors that came out of a connection: the driver's own carry no sign of it. */
const ofConnections = new WeakSet<Error>()

/** Rejects with the same error, known from then on as one of the connection. */
export function blameConnection(error: unknown): never {
  if (error instanceof Error) ofConnections.add(error)
  throw error
}

/** Whether asking the database failed, for whatever reason, rather than what was done with its answers. */
export const isOfConnection = (error: unknown): boolean => error instanceof Error && ofConnections.has(error)
