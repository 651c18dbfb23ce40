import { DatabaseError } from 'pg'
import { isFromNewerBuild } from '../../domain/kit/event-schema.ts'
import { isOfConnection } from '../../eventstore/postgres/connection-loss.ts'

/** A stream is set aside when one event of it has failed so often, each time by what it holds. */
export const PARK_AFTER = 4

/** What PostgreSQL says of values: data exceptions, violated constraints, more than fits into a row or an index. */
const VALUES = /^(22|23|54)/

/**
 * Whether the event itself cannot be applied. Locks, timeouts, deadlocks, full disks and broken connections pass, and say nothing about it
 * ("a table that somebody locks for longer than a statement may take sets no stream aside").
 */
export const isOfEvent = (error: unknown): boolean =>
  // While versions run beside each other an older projector meets events that only the newer one knows (fine print 53).
  isFromNewerBuild(error) ? false : error instanceof DatabaseError ? VALUES.test(error.code ?? '') : !isOfConnection(error)
