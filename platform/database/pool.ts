import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, type TransactionBuilder } from 'kysely'
import { Client, TypeOverrides, types as pgTypes, type ClientConfig, type Pool, type PoolClient, type PoolConfig } from 'pg'
import { blameConnection } from '#eventstore/postgres/connection-loss'
import type { Db } from '#migrations/db'
import { READ_COMMITTED } from '#eventstore/postgres/isolation'
import { SealedColumns } from '#eventstore/postgres/sealed-columns'
import { columnSealOf, createDataKey, type DataKey } from '../identity/data-key.ts'
import { copyIn, type CopyChunks } from './copy-in.ts'
import { GuardedPool, guardedTransaction, type Busy } from './guarded-pool.ts'
import type { Lanes } from './lanes.ts'

const STATEMENT_MS = 30_000
const IDLE_IN_TRANSACTION_MS = 30_000
/** Longest time to open a connection: as long as a statement may wait for a server that is frozen. */
const CONNECT_MS = 30_000
/** A lost host sends nothing: after the server's own timeout plus this, the client gives up. */
const CLIENT_BEHIND_MS = 1000
/** Opening a connection takes up to 100 ms on a busy machine: those of a burst are kept for the next one. */
const KEPT_IDLE_MS = 300_000

/** Timeouts, milliseconds; 30,000 each by default. */
export type Limits = {
  /** Limit of a statement. The client gives the connection up a second later. */
  readonly statementMs?: number
  /** Limit of a transaction between two statements: a process that hangs in one holds its locks. */
  readonly idleInTransactionMs?: number
  /** To open a connection. */
  readonly connectMs?: number
}

export type PoolOptions = {
  readonly max: number
  /** Shown in pg_stat_activity. */
  readonly applicationName: string
  readonly limits?: Limits
  /** Limits the wait for a connection that is in use; without it, requests wait for as long as it takes. */
  readonly busy?: Busy
  /** Divides the connections by purpose; `max` is their sum. */
  readonly lanes?: Lanes
  /** Lets transactions ask for further connections: for tests whose log and read models share a pool, which no process does. */
  readonly mayNest?: boolean
  /** For data that can be derived again, such as read models: a commit does not wait for the disk. */
  readonly synchronousCommit?: 'off'
  /** Reports a broken idle connection, which the pool replaces. */
  readonly onError?: (error: Error) => void
}

/**
 * int8 becomes bigint: positions and counts are exact, and mixing them with numbers does not compile.
 * numeric stays text. date stays 'YYYY-MM-DD': the driver's own reading moves it by the machine's time zone.
 */
const types = new TypeOverrides()
types.setTypeParser(pgTypes.builtins.INT8, BigInt)
types.setTypeParser(pgTypes.builtins.DATE, (text) => text)

export function createPool(url: string, options: PoolOptions): Pool {
  const { max, applicationName, limits = {}, busy, lanes, mayNest = false, synchronousCommit, onError } = options
  const { statementMs = STATEMENT_MS, idleInTransactionMs = IDLE_IN_TRANSACTION_MS, connectMs = CONNECT_MS } = limits
  const pool = new GuardedPool(
    {
      connectionString: url,
      // The pool's own connectionTimeoutMillis would also limit the wait for a busy connection.
      Client: function (config: ClientConfig) {
        return new Client({ ...config, connectionTimeoutMillis: connectMs })
      } as unknown as NonNullable<PoolConfig['Client']>,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      max,
      application_name: applicationName,
      idleTimeoutMillis: KEPT_IDLE_MS,
      statement_timeout: statementMs,
      query_timeout: statementMs + CLIENT_BEHIND_MS,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      types,
      options: synchronousCommit === undefined ? READ_COMMITTED : `${READ_COMMITTED} -c synchronous_commit=${synchronousCommit}`,
    },
    { busy, mayNest, lanes },
  )
  // Without a listener a server restart would end the whole process.
  pool.on('error', (error) => onError?.(error))
  // The pool listens to idle connections only. One that breaks between two statements of a transaction would do the same; now
  // the next statement fails ("a connection that breaks inside a transaction fails that transaction alone").
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export type KyselyOptions = {
  /** Prepares frequent statements once per connection: for a small, fixed set of statements. */
  readonly keepPlans?: boolean
  /** Seals and opens personal columns (fine print 94); without it, none can be opened that was sealed. */
  readonly dataKey?: DataKey
}

const NO_KEY = createDataKey([])

/** Does not own the pool, but `destroy` of the result ends it. */
export const createKysely = (pool: Pool, { keepPlans = false, dataKey = NO_KEY }: KyselyOptions = {}): Kysely<Db> =>
  new GuardedKysely(pool, keepPlans ? keptNames() : noNames, dataKey)

class GuardedKysely extends Kysely<Db> {
  readonly #pool: Pool
  constructor(pool: Pool, nameOf: NameOf, dataKey: DataKey) {
    const plugins = [new SealedColumns(columnSealOf(dataKey))]
    super({ dialect: new PostgresDialect({ pool: asking(pool, nameOf) }), plugins })
    this.#pool = pool
  }
  override transaction(): TransactionBuilder<Db> {
    return guardedTransaction(super.transaction(), this.#pool)
  }
}

/** A statement is prepared from this occurrence on: one-off statements are not. */
const OFTEN = 3
/** Most plans per connection. */
const KEPT_PLANS = 200

/** Names belong to the connection, which several builders may share: one counter for all. */
let named = 0

type NameOf = (text: string, values: readonly unknown[]) => string | undefined
const noNames: NameOf = () => undefined

/** Names under which frequent statements with parameters are prepared. */
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

/**
 * The pool as Kysely uses it. Errors are marked as errors of the connection, as opposed to those of the code that uses the rows.
 */
function asking(pool: Pool, nameOf: NameOf): PostgresPool {
  // Kysely recognises a connection by its client.
  const clients = new WeakMap<PoolClient, PostgresPoolClient>()
  const clientOf = (client: PoolClient): PostgresPoolClient => {
    const send = (text: string, values: readonly unknown[]) => {
      const [first] = values
      if (text.startsWith('copy ')) return copyIn(client, text, first as CopyChunks)
      const name = nameOf(text, values)
      return client.query({ ...(name === undefined ? {} : { name }), text, values: [...values] })
    }
    const query = (text: string, values: readonly unknown[]) =>
      send(text, values).catch((error: unknown) => {
        // The connection still waits for the lost answer: later statements, such as a rollback, would wait behind it.
        if (error instanceof Error && error.message === 'Query read timeout') endNow(client)
        return blameConnection(error)
      })
    // Kysely's other way to query, cursors for streams, is not configured.
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

/** Breaks the connection off; its pool replaces it. */
const endNow = (client: PoolClient): void => void (client as unknown as Client).end().catch(() => {})
