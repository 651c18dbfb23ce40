import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Pool, PoolClient } from 'pg'
import pino from 'pino'
import type { BlobStore } from '#commands/files/media'
import { migrateThrough, migrateToLatest } from '#migrations/index'
import { beginRestore, closeForRows, fillTable, isUsed, logOf, openForRows, tablesOf, type Table } from '#platform/backup/tables'
import { endEverySession } from '#platform/identity/end-every-session'
import type { Place } from '#platform/backup/place'
import { gapLines, leaveNumberGap } from '#platform/invoice/number-gap'
import { openDatabase } from '#platform/database/database'
import { createKysely } from '#platform/database/pool'
import { createDiskFiles } from '#platform/files/disk-files'
import { createS3Files } from '#platform/files/s3-files'
import { createStops } from '../process/stops.ts'
import { openFileStore } from '../wiring/file-store.ts'
import { readConfig, type Config } from '../config.ts'
import { readArguments } from './arguments.ts'
import { decompressed, fileName, forEachFile, hashOf } from './backup/files.ts'
import { readManifest, type Manifest } from './backup/manifest.ts'
import { openBackup } from './backup/open-place.ts'
import { restoreAt } from './backup/point-in-time.ts'
import { runTool } from './run-tool.ts'

const USAGE = `Usage:
  npm run restore -- --from <backup, as npm run backup printed it> [--identity <file>]
  npm run restore -- --from <archive> --at <instant, such as 2026-11-26T18:00:00Z>

Restores a backup into a database on which the product was never started, and its files into the file store: the embedded database in
PLACARD_DATA_DIR, or DATABASE_URL. Every part is checked against its hash before anything is written; the rows come in one
transaction. --identity names the file of age-keygen for a backup that age encrypted. All sessions end, and numbers of invoices are left out: those given
after the backup are at customers. Then start the product, which builds the read models, and verify it: npm run audit -- verify --all,
npm run billing -- reconcile, which names payments of after the backup. A log in KurrentDB and facts in ClickHouse are restored by their own tools, the log before this.

--at restores the embedded database of an archive (PLACARD_PG_ARCHIVE), as it was at that instant, into a PLACARD_DATA_DIR without one.`

/** The command line of restores. Exit code 0 when all is restored, 1 when not, 2 for a wrong call. */
async function main(): Promise<number> {
  const said = readArguments({ options: { from: { type: 'string' }, identity: { type: 'string' }, at: { type: 'string' } } })
  const { from, at, identity } = said?.values ?? {}
  if (from === undefined || from === '' || (at !== undefined && identity !== undefined)) {
    console.error(USAGE)
    return 2
  }
  if (at !== undefined) return restoreAt(readConfig(process.env), from, at)
  const source = await openBackup(from, identity)
  try {
    const manifest = await readManifest(source.place, source.backup)
    const damaged = await faultsOf(source, manifest)
    for (const fault of damaged) console.error(fault)
    return damaged.length > 0 ? 1 : await restore(readConfig(process.env), source, manifest)
  } finally {
    source.place.close()
  }
}

type Source = { readonly place: Place; readonly backup: string }

/** Parts that a backup lacks. */
async function faultsOf({ place, backup }: Source, { tables, files }: Manifest): Promise<readonly string[]> {
  const wanted = [
    ...tables.map(({ file, sha256 }) => ({ name: `${backup}/${file}`, sha256 })),
    ...files.map((sha256) => ({ name: fileName(sha256), sha256 })),
  ]
  const faults: string[] = []
  await forEachFile(wanted, async ({ name, sha256 }) => {
    // A part that age cannot read was changed.
    const found = await place.read(name).then(
      (bytes) => (bytes === null ? null : hashOf(bytes).catch(() => '')),
      () => '',
    )
    if (found !== sha256) faults.push(`${place.addressOf(name)} is ${found === null ? 'missing' : 'damaged'}`)
  })
  return faults
}

async function restore(config: Config, source: Source, manifest: Manifest): Promise<number> {
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
    await putBlobs(blobs, source.place, manifest.files)
    const db = createKysely(database.pool)
    await migrateThrough(db, manifest.migrations)
    const { ended, gaps } = await fill(database.pool, source, manifest)
    await migrateToLatest(db)
    const { rows, events } = { rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0), events: manifest.log.events }
    console.log(
      `Restored ${rows} rows, ${events} of them events, and ${manifest.files.length} files of ${manifest.at}; ${ended} sessions ended.`,
    )
    for (const line of gapLines(gaps)) console.log(line)
    console.log(
      'Start the product, and then run: npm run audit -- verify --all, npm run billing -- reconcile --since <the day of the backup>',
    )
    return 0
  } finally {
    await stops.run()
    await database.stop()
  }
}

async function putBlobs(blobs: BlobStore, place: Place, hashes: readonly string[]): Promise<void> {
  await forEachFile(hashes, async (sha256) => {
    if ((await blobs.length(sha256)) === null) await blobs.put(sha256, await buffer(await partOf(place, fileName(sha256))))
  })
}

/** A part that was there when the backup was checked. */
async function partOf(place: Place, name: string): Promise<Readable> {
  const source = await place.read(name)
  if (source === null) throw new Error(`${place.addressOf(name)} is missing`)
  return source
}

/** Resolves with the number of sessions that ended, and the numbers of documents that are left out. */
async function fill(pool: Pool, source: Source, manifest: Manifest) {
  const client = await pool.connect()
  try {
    await beginRestore(client)
    const tables = matching(await tablesOf(client), manifest)
    await openForRows(client, tables, manifest.partitions)
    for (const [index, table] of tables.entries()) await fillOne(client, source, table, manifest.tables[index])
    await closeForRows(client, tables)
    const { events, head } = await logOf(client)
    if (events !== manifest.log.events || head !== manifest.log.head)
      throw new Error('the restored log is not that of the backup')
    const ended = await endEverySession(client)
    const gaps = await leaveNumberGap(client, new Date().toISOString())
    await client.query('commit')
    await client.query('analyze')
    return { ended, gaps }
  } finally {
    // Also rolls back what failed.
    client.release(true)
  }
}

async function fillOne(
  client: PoolClient,
  { place, backup }: Source,
  table: Table,
  saved: Manifest['tables'][number] | undefined,
) {
  if (saved === undefined) throw new Error(`the backup has no table ${table.name}`)
  const rows = await fillTable(client, table, decompressed(await partOf(place, `${backup}/${saved.file}`)))
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
