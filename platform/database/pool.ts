import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { Pool, TypeOverrides, types as pgTypes, type PoolClient } from 'pg'
import { blameConnection } from '../../eventstore/postgres/connection-loss.ts'
import { READ_COMMITTED } from '../../eventstore/postgres/isolation.ts'
import { endSilent, NOT_FOR_EVER } from './silence.ts'

const STATEMENT_MS = 30_000
const IDLE_IN_TRANSACTION_MS = 30_000
/** How much later than the server this side loses its patience. */
const BEHIND_MS = 1000
/** A connection takes up to a tenth of a second to make on a busy machine, and all who come meanwhile wait: those of a burst are kept for the next. */
const KEPT_IDLE_MS = 300_000

/** What the server ends, milliseconds; 30,000 each when absent. */
export type Limits = {
  /** A statement, where its transaction sets no other limit. */
  readonly statementMs?: number
  /** A transaction that does nothing: whoever hangs in one holds its locks. */
  readonly idleInTransactionMs?: number
}

export type PoolOptions = {
  readonly max: number
  /** Shown in pg_stat_activity. */
  readonly applicationName: string
  readonly limits?: Limits
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
  const { max, applicationName, limits = {}, synchronousCommit, onError } = options
  const { statementMs = STATEMENT_MS, idleInTransactionMs = IDLE_IN_TRANSACTION_MS } = limits
  const pool = new Pool({
    ...NOT_FOR_EVER,
    connectionString: url,
    max,
    application_name: applicationName,
    idleTimeoutMillis: KEPT_IDLE_MS,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    types,
    options: synchronousCommit === undefined ? READ_COMMITTED : `${READ_COMMITTED} -c synchronous_commit=${synchronousCommit}`,
  })
  // Without a listener a server restart would end the whole process.
  pool.on('error', (error) => onError?.(error))
  // The pool listens to idle connections only. One that breaks between two statements of a transaction would do the same; here
  // the next statement fails ("a connection that breaks inside a transaction fails that transaction alone").
  pool.on('connect', (client) => client.on('error', () => {}))
  endSilent(pool, url, Math.max(statementMs, idleInTransactionMs) + BEHIND_MS)
  return pool
}

export type KyselyOptions = {
  /** For few statements that are run over and over in the same words: each connection plans them once. Off when absent. */
  readonly keepPlans?: boolean
}

/** Closing is the pool's owner's affair: `destroy` of the result ends the pool. */
export const createKysely = <DB>(pool: Pool, { keepPlans = false }: KyselyOptions = {}): Kysely<DB> =>
  new Kysely<DB>({ dialect: new PostgresDialect({ pool: asking(pool, keepPlans ? keptNames() : noNames) }) })

/** A statement is named when it has come this often: what is made for one occasion stays without. */
const OFTEN = 3
/** Plans that a builder keeps on each connection at most. */
const KEPT_PLANS = 200

/** Names are the connection's, and several builders may share one: counted for all of them. */
let named = 0

type NameOf = (text: string, values: readonly unknown[]) => string | undefined
const noNames: NameOf = () => undefined

/** Names for whatever has parameters and comes often, under which it is prepared. */
function keptNames(): NameOf {
  const seen = new Map<string, number>()
  const names = new Map<string, string>()
  return (text, values) => {
    if (values.length === 0) return undefined
    const known = names.get(text)
    if (known !== undefined || names.size >= KEPT_PLANS) return known
    const times = (seen.get(text) ?? 0) + 1
    if (seen.size > 10 * KEPT_PLANS) seen.clear()
    seen.set(text, times)
    if (times < OFTEN) return undefined
    seen.delete(text)
    named += 1
    const name = `kept_${named}`
    names.set(text, name)
    return name
  }
}

/** The pool as the builder asks it. What fails here is the connection's failure, and not that of whoever works with its answers. */
function asking(pool: Pool, nameOf: NameOf): PostgresPool {
  // The driver knows a connection again by its client.
  const clients = new WeakMap<PoolClient, PostgresPoolClient>()
  const clientOf = (client: PoolClient): PostgresPoolClient => {
    const query = (text: string, values: readonly unknown[]) => {
      const name = nameOf(text, values)
      return client.query({ ...(name === undefined ? {} : { name }), text, values: [...values] }).catch(blameConnection)
    }
    // The builder's other way of asking is by cursor, for streams; it has to be switched on, and is not.
    return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() }
  }

  return {
    connect: async () => {
      const client = await pool.connect().catch(blameConnection)
      const known = clients.get(client) ?? clientOf(client)
      clients.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}
