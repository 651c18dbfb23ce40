import { Readable } from 'node:stream'
import type { PoolClient } from 'pg'
import pino from 'pino'
import type { BlobStore } from '#commands/files/media'
import { MIGRATIONS } from '#migrations/index'
import { beginSnapshot, blobsOf, logOf, partitionsOf, sendTable, tablesOf } from '#platform/backup/tables'
import type { Begun, Place } from '#platform/backup/place'
import { createDiskFiles } from '#platform/files/disk-files'
import { createS3Files } from '#platform/files/s3-files'
import { createStops } from '../process/stops.ts'
import { VERSION } from '../version.ts'
import { openFileStore } from '../wiring/file-store.ts'
import { readConfig, type Config } from '../config.ts'
import { readArguments } from './arguments.ts'
import { backUpBase, KEPT_BASES } from './backup/base.ts'
import { compressed, fileName, FILES, forEachFile } from './backup/files.ts'
import { MANIFEST, type Manifest } from './backup/manifest.ts'
import { openPlace } from './backup/open-place.ts'
import { onDatabase } from './opened.ts'
import { runTool } from './run-tool.ts'

const USAGE = `Usage:
  npm run backup -- --to <folder or s3://…> [--recipient age1…] [--log-elsewhere] [--facts-elsewhere]
  npm run backup -- --base [--keep <number>] [--log-elsewhere] [--facts-elsewhere]

Writes a folder with the time as its name: every primary table of PostgreSQL at one instant, compressed, and a manifest; the stored
files lie beside it, in files, once for all backups of the place. The product may run meanwhile. Of the embedded database in
PLACARD_DATA_DIR, running or stopped, or of DATABASE_URL. A bucket is named as in FILE_STORE_URL. With --recipient, once or more,
age encrypts every file, and only its identity reads them (age-keygen). A log in KurrentDB and facts in ClickHouse are backed up by their own tools,
the log after this; the two options say that they are. Restore it with npm run restore. It holds personal data and keys: encrypt it.

--base copies the embedded database into its archive, PLACARD_PG_ARCHIVE, from which npm run restore -- --at brings back any instant since.
All but the newest --keep base backups, ${KEPT_BASES} without it, are removed, with the WAL that only they needed.`

/** The command line of backups. Exit code 0 when the backup is whole, 1 when not, 2 for a wrong call. */
async function main(): Promise<number> {
  const flag = { type: 'boolean', default: false } as const
  const recipient = { type: 'string', multiple: true, default: [] as string[] } as const
  const said = readArguments({
    options: {
      to: { type: 'string' },
      recipient,
      base: flag,
      keep: { type: 'string' },
      'log-elsewhere': flag,
      'facts-elsewhere': flag,
    },
  })
  const { to, base = false, keep = String(KEPT_BASES) } = said?.values ?? {}
  const isCall = base
    ? /^[1-9]\d{0,3}$/.test(keep) && said?.values.recipient.length === 0
    : Boolean(to) && said?.values.keep === undefined
  if (said === null || !isCall) {
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
  if (base) return backUpBase(config, to, Number(keep))
  const place = await openPlace(to ?? '', said.values.recipient)
  return backUp(config, place).finally(() => place.close())
}

function backUp(config: Config, place: Place): Promise<number> {
  return onDatabase(config, async (_, { pool }) => {
    const stops = createStops()
    try {
      const adapters = { folder: createDiskFiles, s3: createS3Files }
      const { blobs } = await openFileStore(config, { adapters, logger: pino({ level: 'silent' }), stops })
      // First, so that little is left to copy once the snapshot is taken: files may be removed meanwhile.
      await copyBlobs(blobs, place, await blobsOf(pool))
      const at = new Date().toISOString()
      const backup = at.replaceAll(':', '-')
      const begun = await place.begin(backup)
      const client = await pool.connect()
      const manifest = await snapshot(client, begun, at).finally(() => client.release(true))
      const lost = await copyBlobs(blobs, place, manifest.files)
      const current = new Set(lost.length === 0 ? [] : await blobsOf(pool))
      // One that nothing refers to any more was removed since the snapshot.
      const missing = lost.filter((sha256) => current.has(sha256))
      await begun.write(MANIFEST, bytesOf(Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)))
      await begun.finish()
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
      console.log(place.addressOf(backup))
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

async function snapshot(client: PoolClient, backup: Begun, at: string): Promise<Manifest> {
  await beginSnapshot(client)
  const [tables, partitions] = [await tablesOf(client), await partitionsOf(client)]
  const written: Manifest['tables'] = []
  for (const table of tables) {
    const file = `${table.name}.copy.gz`
    let hash = () => ''
    const rows = await sendTable(client, table, async (source) => {
      const { stream, sha256 } = compressed(source)
      await backup.write(file, stream)
      hash = sha256
    })
    written.push({ name: table.name, columns: [...table.columns], rows, file, sha256: hash() })
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
async function copyBlobs(blobs: BlobStore, place: Place, hashes: readonly string[]): Promise<readonly string[]> {
  const known = await place.names(FILES)
  const lost: string[] = []
  const lacking = hashes.filter((sha256) => !known.has(fileName(sha256)))
  await forEachFile(lacking, async (sha256) => {
    const bytes = await blobs.get(sha256).catch(() => null)
    if (bytes === null) lost.push(sha256)
    else await place.write(fileName(sha256), bytesOf(bytes))
  })
  return lost
}

/** A stream of bytes; `Readable.from` would send each of them by itself. */
const bytesOf = (bytes: Uint8Array): Readable => Readable.from([bytes], { objectMode: false })

void runTool(main)
