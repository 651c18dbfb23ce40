import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import pino from 'pino'
import type { BlobStore } from '#commands/files/media'
import { migrateThrough, migrateToLatest } from '#migrations/index'
import { beginRestore, closeForRows, fillTable, isUsed, logOf, openForRows, tablesOf, type Table } from '#platform/backup/tables'
import { endEverySession } from '#platform/identity/end-every-session'
import { openDatabase } from '#platform/database/database'
import { createKysely } from '#platform/database/pool'
import { createDiskFiles } from '#platform/files/disk-files'
import { createS3Files } from '#platform/files/s3-files'
import { createStops } from '../process/stops.ts'
import { openFileStore } from '../wiring/file-store.ts'
import { readConfig, type Config } from '../config.ts'
import { readArguments } from './arguments.ts'
import { blobPath, exists, hashOfFile, readCompressed } from './backup/files.ts'
import { readManifest, type Manifest } from './backup/manifest.ts'
import { runTool } from './run-tool.ts'

const USAGE = `Usage:
  npm run restore -- --from <folder of a backup>

Restores a backup into a database on which the product was never started, and its files into the file store: the embedded database in
PLACARD_DATA_DIR, or DATABASE_URL. Every part is checked against its hash before anything is written; the rows come in one
transaction. All sessions end. Then start the product, which builds the read models, and verify it: npm run audit -- verify --all,
npm run billing -- reconcile. A log in KurrentDB and facts in ClickHouse are restored by their own tools, the log before this.`

/** The command line of restores. Exit code 0 when all is restored, 1 when not, 2 for a wrong call. */
async function main(): Promise<number> {
  const from = readArguments({ options: { from: { type: 'string' } } })?.values.from
  if (from === undefined || from === '') {
    console.error(USAGE)
    return 2
  }
  const folder = resolve(from)
  const manifest = await readManifest(folder)
  const damaged = await faultsOf(folder, manifest)
  if (damaged.length > 0) {
    for (const fault of damaged) console.error(fault)
    return 1
  }
  return restore(readConfig(process.env), folder, manifest)
}

/** What a backup lacks. */
async function faultsOf(folder: string, { tables, files }: Manifest): Promise<readonly string[]> {
  const faults: string[] = []
  for (const { file, sha256 } of tables) {
    const found = await hashOfFile(join(folder, file)).catch(() => null)
    if (found !== sha256) faults.push(`${join(folder, file)} is ${found === null ? 'missing' : 'damaged'}`)
  }
  for (const sha256 of files) {
    const path = blobPath(dirname(folder), sha256)
    if (!(await exists(path))) faults.push(`${path} is missing`)
    else if ((await hashOfFile(path)) !== sha256) faults.push(`${path} is damaged`)
  }
  return faults
}

async function restore(config: Config, folder: string, manifest: Manifest): Promise<number> {
  const database = await openDatabase({
    databaseUrl: config.databaseUrl ?? undefined,
    dataDir: config.dataDir,
    connections: { calls: 4 },
    log: () => {},
  })
  const stops = createStops()
  try {
    if (await isUsed(database.pool)) {
      console.error('This database is not empty. Restore into one on which the product was never started')
      return 1
    }
    const adapters = { folder: createDiskFiles, s3: createS3Files }
    const { blobs } = await openFileStore(config, { adapters, logger: pino({ level: 'silent' }), stops })
    await putBlobs(blobs, dirname(folder), manifest.files)
    const db = createKysely(database.pool)
    await migrateThrough(db, manifest.migrations)
    const ended = await fill(database.pool, folder, manifest)
    await migrateToLatest(db)
    const { rows, events } = { rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0), events: manifest.log.events }
    console.log(
      `Restored ${rows} rows, ${events} of them events, and ${manifest.files.length} files of ${manifest.at}; ${ended} sessions ended.`,
    )
    console.log('Start the product, and then run: npm run audit -- verify --all')
    return 0
  } finally {
    await stops.run()
    await database.stop()
  }
}

async function putBlobs(blobs: BlobStore, place: string, hashes: readonly string[]): Promise<void> {
  for (const sha256 of hashes)
    if ((await blobs.length(sha256)) === null) await blobs.put(sha256, await readFile(blobPath(place, sha256)))
}

/** Resolves with the number of sessions that ended. */
async function fill(pool: Pool, folder: string, manifest: Manifest): Promise<number> {
  const client = await pool.connect()
  try {
    await beginRestore(client)
    const tables = matching(await tablesOf(client), manifest)
    await openForRows(client, tables, manifest.partitions)
    for (const [index, table] of tables.entries()) await fillOne(client, folder, table, manifest.tables[index])
    await closeForRows(client, tables)
    const { events, head } = await logOf(client)
    if (events !== manifest.log.events || head !== manifest.log.head)
      throw new Error('the restored log is not that of the backup')
    const ended = await endEverySession(client)
    await client.query('commit')
    await client.query('analyze')
    return ended
  } finally {
    // Also rolls back what failed.
    client.release(true)
  }
}

async function fillOne(client: PoolClient, folder: string, table: Table, saved: Manifest['tables'][number] | undefined) {
  if (saved === undefined) throw new Error(`the backup has no table ${table.name}`)
  const rows = await fillTable(client, table, readCompressed(join(folder, saved.file)))
  if (rows !== saved.rows) throw new Error(`${table.name} has ${rows} rows instead of ${saved.rows}`)
}

/** The tables of the backup as the database has them, in the order of the backup. */
function matching(tables: readonly Table[], manifest: Manifest): readonly Table[] {
  const known = new Map(tables.map((table) => [table.name, table]))
  const saved = new Set(manifest.tables.map(({ name }) => name))
  const other = tables.find(({ name }) => !saved.has(name))
  if (other !== undefined) throw new Error(`the backup has no table ${other.name}`)
  return manifest.tables.map(({ name, columns }) => {
    const table = known.get(name)
    if (table === undefined) throw new Error(`the backup has a table ${name}, which its migrations do not make`)
    const unknown = columns.find((column) => !table.columns.includes(column))
    if (unknown !== undefined) throw new Error(`the backup has a column ${unknown} of ${name}, which its migrations do not make`)
    return { name, columns }
  })
}

void runTool(main)
