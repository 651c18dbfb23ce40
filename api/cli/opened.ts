import type { Kysely } from 'kysely'
import type { EventStore } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { requireLatest } from '#migrations/index'
import { openDatabase, type Database } from '#platform/database/database'
import { createKysely } from '#platform/database/pool'
import { openDataKey } from '#platform/identity/kms-keys'
import type { Config } from '../config.ts'
import { compareLog, openEventLog } from '../wiring/event-log.ts'

/** Tools run one step after the other. */
const CONNECTIONS = { calls: 10 }

/**
 * Works on the product's database, running or not. Throws with one line when it is of another build: a tool never migrates the
 * database of a product that may be running.
 */
export async function onDatabase<T>(config: Config, work: (db: Kysely<Db>, database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({
    databaseUrl: config.databaseUrl ?? undefined,
    dataDir: config.dataDir,
    connections: CONNECTIONS,
    log: () => {},
  })
  try {
    const db = createKysely(database.pool, { dataKey: await openDataKey(config.dataKeys) })
    await requireLatest(db)
    return await work(db, database)
  } finally {
    await database.stop()
  }
}

/** Works on the product's database and its log. Throws with one line when they do not belong together, or the log is missing. */
export const onLog = <T>(config: Config, work: (db: Kysely<Db>, store: EventStore, url: string) => Promise<T>): Promise<T> =>
  onDatabase(config, async (db, database) => {
    await compareLog(database.pool, config)
    const store = await openEventLog({ ...config, unsafeDatabase: true }, database)
    try {
      return await work(db, store, database.url)
    } finally {
      await store.close()
    }
  })
