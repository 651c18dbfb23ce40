import { migrateToLatest } from '#migrations/index'
import { openDatabase } from '#platform/database/database'
import { createKysely } from '#platform/database/pool'
import { readConfig } from '../config.ts'
import { readArguments } from './arguments.ts'
import { runTool } from './run-tool.ts'

const USAGE = `Usage:
  npm run migrate   brings the database up to date with this build, all migrations or none, and prints those that ran

Processes of the version before go on meanwhile. For a job before an upgrade; otherwise the first process that starts does it.
Works on DATABASE_URL, or on the embedded database in PLACARD_DATA_DIR, running or stopped.`

/** Migrates, and starts nothing. Exit code 0 when the database is up to date, 1 when it could not be, 2 for a wrong call. */
async function main(): Promise<number> {
  const said = readArguments({ options: {} })
  if (said === null) {
    console.error(USAGE)
    return 2
  }
  const config = readConfig(process.env)
  const database = await openDatabase({
    databaseUrl: config.databaseUrl ?? undefined,
    dataDir: config.dataDir,
    connections: { calls: 2 },
    log: () => {},
  })
  try {
    const ran = await migrateToLatest(createKysely(database.pool))
    console.log(ran.length === 0 ? 'The database is up to date.' : `These migrations ran: ${ran.join(', ')}`)
    return 0
  } finally {
    await database.stop()
  }
}

void runTool(main)
