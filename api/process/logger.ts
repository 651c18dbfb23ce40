import { renameSync, statSync } from 'node:fs'
import { pino, type DestinationStream, type Logger } from 'pino'
import type { RecentError } from '#commands/operations/recent-errors'
import { Away } from '#eventstore/away'
import { isLostConnection } from '#eventstore/postgres/connection-loss'
import { ReadModelsBehind } from '#projections/catch-up'

const DEBUG = 20
const ERROR = 50

export type LoggerOptions = {
  /** Names the request that a line is written for, where it is known: lines of a request's own logger have its ids anyway. */
  readonly requestNow?: () => object | undefined
  /** Receives each line of level error. */
  readonly onError?: (error: RecentError) => void
}

/**
 * The log of a process or thread. Errors of a service that is away are debug lines: its watch reports the outage once, and not
 * every call, policy and read model that fails during it. So are those of read models that are behind, which `reportLag` reports once, and
 * of clients that leave before they have read their answer.
 */
export const createLogger = (
  level: string,
  to: DestinationStream = pino.destination(1),
  { requestNow = () => undefined, onError }: LoggerOptions = {},
): Logger =>
  pino(
    {
      level,
      mixin: (_line, _level, logger) => ('reqId' in logger.bindings() ? {} : { ...requestNow() }),
      redact: ['req.headers.authorization'],
      hooks: {
        logMethod(args, method, line) {
          if (line <= DEBUG || !isExpected(args[0])) {
            if (line >= ERROR) onError?.(recentError(args, this.bindings()))
            return method.apply(this, args)
          }
          if (this.isLevelEnabled('debug')) this.debug(...args)
        },
      },
    },
    to,
  )

/** The message of a line and that of its error, and the request that it was written for. */
function recentError([logged, text]: readonly unknown[], bindings: Readonly<Record<string, unknown>>): RecentError {
  const { reqId } = bindings
  const error = typeof logged === 'object' && logged !== null && 'err' in logged ? logged.err : logged
  const parts = [typeof logged === 'string' ? logged : text, error instanceof Error ? error.message : undefined]
  return {
    at: new Date().toISOString(),
    request_id: typeof reqId === 'string' ? reqId : null,
    route: null,
    status: null,
    message: parts.filter((part) => typeof part === 'string').join(': '),
  }
}

/** At this size a log file of a start before is put aside, bytes. */
const LARGE = 10 * 2 ** 20

/** A file that a log is appended to. A large one of earlier starts becomes `<name>.1`. */
export function createFileLog(path: string): DestinationStream {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > LARGE) renameSync(path, `${path}.1`)
  return pino.destination({ dest: path, mode: 0o600, sync: false })
}

/** Whether this error, the one in `err`, or the cause of one means that a service is away or that a client left. */
function isExpected(logged: unknown): boolean {
  if (typeof logged !== 'object' || logged === null) return false
  if (!(logged instanceof Error)) return 'err' in logged && isExpected(logged.err)
  // A call that was given up, and answered with 503, answers once more when the service is back.
  const isLate = 'code' in logged && logged.code === 'FST_ERR_REP_ALREADY_SENT'
  // A compressed answer reports it.
  const hasLeft = 'code' in logged && logged.code === 'ERR_STREAM_PREMATURE_CLOSE'
  return (
    isLate ||
    hasLeft ||
    logged instanceof Away ||
    logged instanceof ReadModelsBehind ||
    isLostConnection(logged) ||
    isExpected(logged.cause)
  )
}
