import { DatabaseError } from 'pg'
import { Away } from '../away.ts'

/** Connection exceptions, server shutting down or starting up, no free connection. */
const LOST = /^(08|57P|53300)/

/**
 * Whether the session failed rather than the statement: the server may or may not have executed it, and a retry may succeed.
 */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof DatabaseError) return LOST.test(error.code ?? '')
  // No connection was free: the server is there, and the statement was not sent.
  if (error instanceof Away) return false
  return error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError)
}

/** Errors of connections: the driver does not mark its own. */
const ofConnections = new WeakSet<Error>()

/** Marks the error as one of the connection and rethrows it. */
export function blameConnection(error: unknown): never {
  if (error instanceof Error) ofConnections.add(error)
  throw error
}

/** Whether a query failed, as opposed to the code that processes its rows. */
export const isOfConnection = (error: unknown): boolean => error instanceof Error && ofConnections.has(error)

/** Whether a query failed with its session: PostgreSQL is away, or ended this connection. */
export const isLostConnection = (error: unknown): boolean => isOfConnection(error) && isConnectionLoss(error)
