import { DatabaseError } from 'pg'
import { isFromNewerBuild } from '#domain/kit/event-schema'
import { isOfConnection } from '#eventstore/postgres/connection-loss'

/** A stream is parked after this many failures caused by the content of one event. */
export const PARK_AFTER = 4

/** SQLSTATE classes caused by values: data exceptions, violated constraints, values too large for a row or an index. */
const VALUES = /^(22|23|54)/

/**
 * Whether the content of the event caused the failure. Locks, timeouts, deadlocks, full disks and lost connections are retried
 * instead ("parks no stream while a table is locked for longer than the statement timeout").
 */
export const isOfEvent = (error: unknown): boolean =>
  // While two versions run side by side, an older projector meets events that only the newer one knows (fine print 53).
  isFromNewerBuild(error) ? false : error instanceof DatabaseError ? VALUES.test(error.code ?? '') : !isOfConnection(error)
