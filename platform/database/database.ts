import path from 'node:path'
import type { Pool } from 'pg'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { createPool } from './pool.ts'

/** Enough for one thread that batches its reads: waiting for a free connection is faster than opening another. */
const POOL_SIZE = 10

export type DatabaseOptions = {
  /** An existing PostgreSQL, instead of the embedded one. */
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
  readonly log: (line: string) => void
}

export type Database = {
  readonly url: string
  readonly pool: Pool
  /** Closes the pool, then leaves the embedded server. */
  stop(): Promise<void>
}

/** The database of this process: DATABASE_URL if given, otherwise the embedded server in `<dataDir>/postgres`. */
export async function openDatabase({ databaseUrl, dataDir, log }: DatabaseOptions): Promise<Database> {
  const server =
    databaseUrl === undefined
      ? await startEmbeddedPostgres({ dir: path.join(dataDir, 'postgres'), log })
      : { url: databaseUrl, stop: async () => {} }
  const pool = createPool(server.url, {
    max: POOL_SIZE,
    applicationName: 'placard',
    onError: (error) => log(`a database connection broke: ${error.message}`),
  })
  let stopped: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await pool.end()
    await server.stop()
  }
  return { url: server.url, pool, stop: () => (stopped ??= close()) }
}
