import { Kysely, PostgresDialect } from 'kysely'
import { Pool, TypeOverrides, types as pgTypes } from 'pg'

const STATEMENT_TIMEOUT_MS = 30_000
const IDLE_IN_TRANSACTION_MS = 30_000
/** A connection takes up to a tenth of a second to make on a busy machine, and all who come meanwhile wait: those of a burst are kept for the next. */
const KEPT_IDLE_MS = 300_000

export type PoolOptions = {
  readonly max: number
  /** Shown in pg_stat_activity. */
  readonly applicationName: string
  /** How long a transaction may do nothing before the server ends it, milliseconds: whoever hangs in one holds its locks. 30,000 when absent. */
  readonly idleInTransactionMs?: number
  /** For what can be made again, such as read models: a commit does not wait for the disk. On when absent. */
  readonly synchronousCommit?: 'off'
  /** Told when an idle connection breaks; the pool replaces it by itself. */
  readonly onError?: (error: Error) => void
}

/**
 * int8 becomes bigint: positions and counts are exact, and nobody adds to one by mistake what is no bigint.
 * numeric stays text. date stays 'YYYY-MM-DD': the driver's own reading moves it by the machine's time zone.
 */
const types = new TypeOverrides()
types.setTypeParser(pgTypes.builtins.INT8, BigInt)
types.setTypeParser(pgTypes.builtins.DATE, (text) => text)

export function createPool(url: string, options: PoolOptions): Pool {
  const { max, applicationName, idleInTransactionMs = IDLE_IN_TRANSACTION_MS, synchronousCommit, onError } = options
  const pool = new Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    idleTimeoutMillis: KEPT_IDLE_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    types,
    ...(synchronousCommit === undefined ? {} : { options: `-c synchronous_commit=${synchronousCommit}` }),
  })
  // Without a listener a server restart would end the whole process.
  pool.on('error', (error) => onError?.(error))
  // The pool listens to idle connections only. One that breaks between two statements of a transaction would do the same; here
  // the next statement fails ("a connection that breaks inside a transaction fails that transaction alone").
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Closing is the pool's owner's affair: `destroy` of the result ends the pool. */
export const createKysely = <DB>(pool: Pool): Kysely<DB> => new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
