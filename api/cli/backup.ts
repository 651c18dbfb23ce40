import { rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { PoolClient } from 'pg'
import pino from 'pino'
import type { BlobStore } from '#commands/files/media'
import { MIGRATIONS } from '#migrations/index'
import { beginSnapshot, blobsOf, logOf, partitionsOf, sendTable, tablesOf } from '#platform/backup/tables'
import { createDiskFiles } from '#platform/files/disk-files'
import { createS3Files } from '#platform/files/s3-files'
import { createStops } from '../process/stops.ts'
import { VERSION } from '../version.ts'
import { openFileStore } from '../wiring/file-store.ts'
import { readConfig, type Config } from '../config.ts'
import { readArguments } from './arguments.ts'
import { blobPath, exists, flushFolder, makeFolder, writeCompressed, writeWhole } from './backup/files.ts'
import { MANIFEST, type Manifest } from './backup/manifest.ts'
import { onDatabase } from './opened.ts'
import { runTool } from './run-tool.ts'

const USAGE = `Usage:
  npm run backup -- --to <folder> [--log-elsewhere] [--facts-elsewhere]

Writes a folder with the time as its name: every primary table of PostgreSQL at one instant, compressed, and a manifest; the stored
files lie beside it, in files, once for all backups of the place. The product may run meanwhile. Of the embedded database in
PLACARD_DATA_DIR, running or stopped, or of DATABASE_URL. A log in KurrentDB and facts in ClickHouse are backed up by their own tools,
the log after this; the two options say that they are. Restore it with npm run restore. It holds personal data and keys: encrypt it
where it is kept.`

/** The command line of backups. Exit code 0 when the backup is whole, 1 when not, 2 for a wrong call. */
async function main(): Promise<number> {
  const flag = { type: 'boolean', default: false } as const
  const said = readArguments({ options: { to: { type: 'string' }, 'log-elsewhere': flag, 'facts-elsewhere': flag } })
  const to = said?.values.to
  if (said === null || to === undefined || to === '') {
    console.error(USAGE)
    return 2
  }
  const config = readConfig(process.env)
  const elsewhere = [
    ...(config.eventStoreUrl !== null && !said.values['log-elsewhere'] ? ['the log in KurrentDB, --log-elsewhere'] : []),
    ...(config.factsUrl !== null && !said.values['facts-elsewhere'] ? ['the facts in ClickHouse, --facts-elsewhere'] : []),
  ]
  if (elsewhere.length > 0) {
    console.error(`This holds PostgreSQL and files alone. Say that you back up by their own tools: ${elsewhere.join('; ')}`)
    return 2
  }
  return backUp(config, resolve(to))
}

function backUp(config: Config, place: string): Promise<number> {
  return onDatabase(config, async (_, { pool }) => {
    const stops = createStops()
    try {
      const adapters = { folder: createDiskFiles, s3: createS3Files }
      const { blobs } = await openFileStore(config, { adapters, logger: pino({ level: 'silent' }), stops })
      await makeFolder(place)
      // First, so that little is left to copy once the snapshot is taken: files may be removed meanwhile.
      await copyBlobs(blobs, place, await blobsOf(pool))
      const at = new Date().toISOString()
      const folder = join(place, at.replaceAll(':', '-'))
      const partial = `${folder}.partial`
      await makeFolder(partial)
      const client = await pool.connect()
      const manifest = await snapshot(client, partial, at).finally(() => client.release(true))
      const lost = await copyBlobs(blobs, place, manifest.files)
      const current = new Set(lost.length === 0 ? [] : await blobsOf(pool))
      // One that nothing refers to any more was removed since the snapshot.
      const missing = lost.filter((sha256) => current.has(sha256))
      await writeWhole(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`)
      await rename(partial, folder)
      await flushFolder(place)
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
      console.log(folder)
      console.log(
        `${manifest.tables.length} tables, ${rows} rows, ${manifest.log.events} of them events, ${manifest.files.length} files`,
      )
      for (const sha256 of missing) console.error(`the file ${sha256} could not be read and is not in the backup`)
      return missing.length === 0 ? 0 : 1
    } finally {
      await stops.run()
    }
  })
}

async function snapshot(client: PoolClient, folder: string, at: string): Promise<Manifest> {
  await beginSnapshot(client)
  const [tables, partitions] = [await tablesOf(client), await partitionsOf(client)]
  const written: Manifest['tables'] = []
  for (const table of tables) {
    const file = `${table.name}.copy.gz`
    let sha256 = ''
    const rows = await sendTable(client, table, async (source) => {
      sha256 = await writeCompressed(join(folder, file), source)
    })
    written.push({ name: table.name, columns: [...table.columns], rows, file, sha256 })
  }
  return {
    format: 1,
    version: VERSION,
    at,
    migrations: Object.keys(MIGRATIONS),
    tables: written,
    partitions: partitions.map((partition) => ({ ...partition })),
    files: [...(await blobsOf(client))],
    log: await logOf(client),
  }
}

/** Copies the stored files that the place lacks, each checked against its hash; answers those that could not be read. */
async function copyBlobs(blobs: BlobStore, place: string, hashes: readonly string[]): Promise<readonly string[]> {
  const lost: string[] = []
  for (const sha256 of hashes) {
    const path = blobPath(place, sha256)
    if (await exists(path)) continue
    const bytes = await blobs.get(sha256).catch(() => null)
    if (bytes === null) lost.push(sha256)
    else await writeWhole(path, bytes)
  }
  return lost
}

void runTool(main)
