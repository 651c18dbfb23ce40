import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pino from 'pino'
import { migrateToLatest } from '#migrations/index'
import { blobsOf } from '#platform/backup/tables'
import { clusterFolder, type ClusterFolder } from '#platform/database/cluster-folder'
import { embeddedFolder, openDatabase } from '#platform/database/database'
import { createKysely } from '#platform/database/pool'
import { ArchiveEnds, recoverCluster } from '#platform/database/recover-cluster'
import { walArchive, type WalArchive } from '#platform/database/wal-archive'
import { createDiskFiles } from '#platform/files/disk-files'
import { createS3Files } from '#platform/files/s3-files'
import { gapLines, leaveNumberGap } from '#platform/invoice/number-gap'
import { endEverySession } from '#platform/identity/end-every-session'
import { createStops } from '#api/process/stops'
import type { Config } from '#api/config'
import { openFileStore } from '#api/wiring/file-store'
import { BASE_DATA, basesIn, type Base, type BaseManifest } from './base-manifest.ts'
import { forEachFile, hashOf } from './files.ts'

/** ISO 8601 with its zone, to the millisecond. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/

/**
 * Restores the embedded database of an archive as it was at an instant, into a data folder without one. Resolves with the exit code. Throws
 * with one line for an instant that the archive does not reach, and names what it has; nothing is left behind then.
 */
export async function restoreAt(config: Config, from: string, text: string): Promise<number> {
  if (config.databaseUrl !== null)
    throw new Error('--at is of the embedded database: restore the one of DATABASE_URL by its own tools')
  const at = instantOf(text)
  const archive = walArchive(resolve(from))
  const base = await baseFor(archive, at)
  const folder = embeddedFolder(config.dataDir)
  if (!(await isEmptyFolder(folder))) throw new Error(`${folder} holds a database already: name another PLACARD_DATA_DIR`)
  const fault = await faultOf(archive, base)
  if (fault !== null) throw new Error(fault)
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const draft = await mkdtemp(join(config.dataDir, 'restoring-'))
  try {
    const cluster = clusterFolder(embeddedFolder(draft))
    await unpack(archive, base, cluster)
    await recoverCluster(cluster, archive, at).catch((error: unknown) => {
      throw error instanceof ArchiveEnds ? new Error(outOfRange(archive, base, error.last), { cause: error }) : error
    })
    const { events, ended, lacking, gaps } = await finish(config, draft)
    // Fails where another restore was faster.
    await rmdir(folder).catch(ignoreAbsent)
    await rename(cluster.root, folder)
    console.log(`Restored the database as of ${at.toISOString()}, ${events} events; ${ended} sessions ended.`)
    for (const line of gapLines(gaps)) console.log(line)
    if (lacking > 0)
      console.log(
        `${lacking} stored files are not in the file store yet: copy its folder from where the product ran, or set FILE_STORE_URL`,
      )
    console.log('Start the product with an empty folder as PLACARD_PG_ARCHIVE, and then run: npm run audit -- verify --all')
    return 0
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

function instantOf(text: string): Date {
  const at = new Date(INSTANT.test(text) ? text : Number.NaN)
  if (Number.isNaN(at.getTime())) throw new Error('--at is an instant with its zone, such as 2026-11-26T18:00:00Z')
  if (at.getTime() > Date.now()) throw new Error('--at is in the future')
  return at
}

/** The newest base backup of before. */
async function baseFor(archive: WalArchive, at: Date): Promise<Base> {
  const bases = await basesIn(archive.bases)
  const [first] = bases
  if (first === undefined) throw new Error(`${archive.root} holds no base backup`)
  const base = bases.findLast(({ manifest }) => manifest.at <= at.toISOString())
  if (base === undefined)
    throw new Error(`the archive in ${archive.root} begins at ${first.manifest.at}, with its oldest base backup`)
  return base
}

const outOfRange = (archive: WalArchive, base: Base, last: Date | null): string =>
  `the archive in ${archive.root} goes from ${base.manifest.at} to ${last?.toISOString() ?? base.manifest.at}, its last transaction: ` +
  'a later segment is missing, damaged, or not archived yet'

/** Fault in the bytes of a base; null for none. */
async function faultOf({ bases }: WalArchive, { name, manifest }: Base): Promise<string | null> {
  const path = join(bases, name, BASE_DATA)
  const found = await hashOf(createReadStream(path)).catch(() => null)
  if (found === manifest.sha256) return null
  return `${path} is ${found === null ? 'missing' : 'damaged'}`
}

/** PostgreSQL flushes these files when it starts on them. */
async function unpack({ bases }: WalArchive, { name, manifest }: Base, { data, secret }: ClusterFolder): Promise<void> {
  await mkdir(data, { mode: 0o700 })
  for (const folder of manifest.folders) await mkdir(join(data, folder), { recursive: true, mode: 0o700 })
  const source = createReadStream(join(bases, name, BASE_DATA))
  const bytes = createGunzip()
  const sent = pipeline(source, bytes)
  await Promise.all([sent, unpackFiles(bytes, manifest.files, data)])
  await writeFile(join(data, 'backup_label'), manifest.label, { mode: 0o600 })
  await writeFile(secret, manifest.secret, { mode: 0o600, flush: true })
}

/** Splits the bytes of all files. */
async function unpackFiles(bytes: Readable, files: BaseManifest['files'], data: string): Promise<void> {
  const chunks = bytes[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  for (const { name, size } of files) {
    const file = await open(join(data, name), 'w', 0o600)
    try {
      for (let left = size; left > 0;) {
        if (rest.length === 0) rest = await nextOf(chunks)
        const part = rest.subarray(0, left)
        await file.writeFile(part)
        rest = rest.subarray(part.length)
        left -= part.length
      }
    } finally {
      await file.close()
    }
  }
  // The end, so that the chain ends too.
  await chunks.next()
}

async function nextOf(chunks: AsyncIterator<unknown>): Promise<Buffer> {
  const { value, done } = await chunks.next()
  if (done === true || !Buffer.isBuffer(value)) throw new Error(`${BASE_DATA} ends early`)
  return value
}

/** Ends all sessions, migrates to this build and leaves numbers of documents out, in the draft: what fails leaves nothing behind. */
async function finish(config: Config, dataDir: string) {
  const database = await openDatabase({ dataDir, connections: { calls: 4 }, log: () => {} })
  const stops = createStops()
  try {
    const ended = await endEverySession(database.pool)
    await migrateToLatest(createKysely(database.pool))
    const gaps = await leaveNumberGap(database.pool, new Date().toISOString())
    const { rows } = await database.pool.query<{ events: number }>('select count(*)::float8 as events from es.events')
    const adapters = { folder: createDiskFiles, s3: createS3Files }
    const { blobs } = await openFileStore(config, { adapters, logger: pino({ level: 'silent' }), stops })
    let lacking = 0
    await forEachFile(await blobsOf(database.pool), async (sha256) => {
      if ((await blobs.length(sha256)) === null) lacking++
    })
    return { events: rows[0]?.events ?? 0, ended, lacking, gaps }
  } finally {
    await stops.run()
    await database.stop()
  }
}

/** Whether there is no such folder, or nothing in it. */
const isEmptyFolder = async (folder: string): Promise<boolean> => (await readdir(folder).catch(absent)).length === 0

function absent(error: unknown): readonly string[] {
  ignoreAbsent(error)
  return []
}

function ignoreAbsent(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
