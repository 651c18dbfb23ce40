import path from 'node:path'
import type { Pool } from 'pg'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { isConnectionLoss } from '#eventstore/postgres/connection-loss'
import { firstAnswer } from './first-answer.ts'
import { BUSY_MS } from './guarded-pool.ts'
import { createLanes, type LaneFigures, type LaneSizes, type Purpose } from './lanes.ts'
import { createPool } from './pool.ts'

/** The watch gives a question up after two seconds, and takes pauses of this process into account; this frees its connection. */
const PROBE_LIMITS = { statementMs: 2000, connectMs: 3000 }

export type DatabaseOptions = {
  /** An existing PostgreSQL, instead of the embedded one. */
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
  /** Folder of the embedded server's WAL archive. Null ends the archive; without it, the server keeps what it has. */
  readonly archive?: string | null | undefined
  readonly log: (line: string) => void
  /** Most connections by purpose. Few are enough: waiting for a free one is faster than opening another. */
  readonly connections: LaneSizes
}

export type Database = {
  readonly url: string
  readonly pool: Pool
  /** Purposes of connections of the pool. */
  readonly purposes: readonly Purpose[]
  /** Use of those connections. */
  readonly figures: () => readonly LaneFigures[]
  /** Asks for an answer on its own connection, however busy the pool is; rejects after three seconds. */
  readonly ping: () => Promise<void>
  /** Closes the pool, then leaves the embedded server. */
  stop(): Promise<void>
}

/** Folder of the embedded server of a data folder. */
export const embeddedFolder = (dataDir: string): string => path.join(dataDir, 'postgres')

/**
 * The database of this process: DATABASE_URL if given, otherwise the embedded server in `<dataDir>/postgres`. Throws ConfigFault
 * with one line when the given one cannot be used.
 */
export async function openDatabase({ databaseUrl, dataDir, archive, log, connections }: DatabaseOptions): Promise<Database> {
  if (databaseUrl !== undefined) await firstAnswer(databaseUrl)
  const server =
    databaseUrl === undefined
      ? await startEmbeddedPostgres({ dir: embeddedFolder(dataDir), archive, log })
      : { url: databaseUrl, stop: async () => {} }
  const probe = createPool(server.url, { max: 1, applicationName: 'placard-probe', limits: PROBE_LIMITS })
  const ping = async () => {
    await probe.query('select 1').catch((error: unknown) => {
      // A server that refuses a statement, or cancels it because it is slow, is not away.
      if (isConnectionLoss(error)) throw error
    })
  }
  const lanes = createLanes(connections)
  const reportBusy = createBusyReport(log)
  const pool = createPool(server.url, {
    max: lanes.size,
    lanes,
    applicationName: 'placard',
    busy: { afterMs: BUSY_MS, ping, onBusy: () => reportBusy(lanes.purpose()) },
    onError: (error) => log(`a database connection broke: ${error.message}`),
  })
  let stopped: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await Promise.all([pool.end(), probe.end()])
    await server.stop()
  }
  return { url: server.url, pool, purposes: lanes.purposes, figures: lanes.figures, ping, stop: () => (stopped ??= close()) }
}

/** One line a minute at most for each purpose. */
function createBusyReport(log: (line: string) => void): (purpose: Purpose) => void {
  const reportedAt = new Map<Purpose, number>()
  return (purpose) => {
    if (performance.now() - (reportedAt.get(purpose) ?? -Infinity) < 60_000) return
    reportedAt.set(purpose, performance.now())
    log(`all database connections for ${purpose} were in use for ${BUSY_MS / 1000} s: requests are answered with 503`)
  }
}
