import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateToLatest } from '#migrations/index'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres'
import { createKysely, createPool } from '#platform/database/pool'
import { TYPES_FILE, databaseTypes } from '../support/database-types.ts'

/** `npm run db:types`: writes migrations/db.ts, the types of every table, from a new database with all migrations. */
const dir = mkdtempSync(join(tmpdir(), 'placard-db-types-'))
const server = await startEmbeddedPostgres({ dir, settings: { fsync: 'off' } })
const pool = createPool(server.url, { max: 4, applicationName: 'placard-db-types', mayNest: true })
try {
  await migrateToLatest(createKysely(pool))
  writeFileSync(TYPES_FILE, await databaseTypes(pool))
} finally {
  await pool.end()
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
}
