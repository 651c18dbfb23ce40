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

/** Resources that a running server can run out of. */
export type Shortage = 'connections' | 'disk'
const SHORT_OF: Readonly<Record<string, Shortage>> = { '53300': 'connections', '53100': 'disk' }

/** Resource that PostgreSQL has run out of, by the error; null for any other. */
export const shortageOf = (error: unknown): Shortage | null =>
  error instanceof DatabaseError ? (SHORT_OF[error.code ?? ''] ?? null) : null

const watchers = new Set<(shortage: Shortage) => void>()
/** Is called for each query that PostgreSQL could not carry out for want of something. Returns how to stop that. */
export function onShortage(watch: (shortage: Shortage) => void): () => void {
  watchers.add(watch)
  return () => void watchers.delete(watch)
}

/** Errors of connections: the driver does not mark its own. */
const ofConnections = new WeakSet<Error>()

/** Marks the error as one of the connection and rethrows it. */
export function blameConnection(error: unknown): never {
  if (error instanceof Error) ofConnections.add(error)
  const shortage = shortageOf(error)
  if (shortage !== null) for (const watch of watchers) watch(shortage)
  throw error
}

/** Whether a query failed, as opposed to the code that processes its rows. */
export const isOfConnection = (error: unknown): boolean => error instanceof Error && ofConnections.has(error)

/** Whether a query failed with its session, or for want of disk: PostgreSQL is away, or cannot do it now. */
export const isLostConnection = (error: unknown): boolean =>
  isOfConnection(error) && (isConnectionLoss(error) || shortageOf(error) !== null)
