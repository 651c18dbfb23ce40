import { readFile, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { PoolClient } from 'pg'
import { createFolderPlace } from '#platform/backup/folder-place'
import { takeBase } from '#platform/backup/base'
import { clusterFolder, type ClusterFolder } from '#platform/database/cluster-folder'
import { embeddedFolder } from '#platform/database/database'
import { archiveCommand, archiveOf, type WalArchive } from '#platform/database/wal-archive'
import { VERSION } from '#api/version'
import type { Config } from '#api/config'
import { onDatabase } from '../opened.ts'
import { BASE_DATA, BASE_MANIFEST, basesIn, type BaseManifest } from './base-manifest.ts'
import { compressed } from './files.ts'

/** Base backups that are kept without `--keep`. */
export const KEPT_BASES = 7

/**
 * Takes a base backup of the embedded database into its archive, and then removes all but the newest `keep` and the segments that only
 * those needed. `to` may repeat the archive's folder. Resolves with the exit code.
 */
export async function backUpBase(config: Config, to: string | undefined, keep: number): Promise<number> {
  if (config.databaseUrl !== null)
    throw new Error('--base is of the embedded database. Use pg_basebackup for the one of DATABASE_URL')
  const folder = clusterFolder(embeddedFolder(config.dataDir))
  const archive = archiveOf(folder)
  if (archive === null) throw new Error('this database has no archive: start the product with PLACARD_PG_ARCHIVE=<folder> first')
  if (to !== undefined && resolve(to) !== archive.root)
    throw new Error(`a base backup lies beside the segments that it needs: leave --to out, or name ${archive.root}`)
  return onDatabase(config, async (_, { pool }) => {
    const client = await pool.connect()
    try {
      await requireArchiving(client, archive)
      const name = await writeBase(client, folder, archive)
      const removed = await prune(archive, keep)
      console.log(join(archive.bases, name))
      if (removed.bases > 0)
        console.log(`removed ${removed.bases} older base backups, and ${removed.segments} segments that only they needed`)
      return 0
    } finally {
      // Its lock and its limits end with it.
      client.release(true)
    }
  })
}

/** A server that was running when the archive was chosen does not archive. */
async function requireArchiving(client: PoolClient, archive: WalArchive): Promise<void> {
  const { rows } = await client.query<{ archives: boolean }>(
    `select current_setting('archive_mode') = 'on' and current_setting('archive_command') = $1 as archives`,
    [archiveCommand(archive)],
  )
  if (rows[0]?.archives !== true) throw new Error('the running database does not archive yet: restart the product')
}

async function writeBase(client: PoolClient, folder: ClusterFolder, archive: WalArchive): Promise<string> {
  const place = createFolderPlace(archive.bases)
  const name = new Date().toISOString().replaceAll(':', '-')
  const begun = await place.begin(name)
  let hash = () => ''
  const { files, folders, ...taken } = await takeBase(client, folder.data, async (source) => {
    const { stream, sha256 } = compressed(source)
    await begun.write(BASE_DATA, stream)
    hash = sha256
  })
  const described = { format: 1 as const, version: VERSION, sha256: hash(), secret: await readFile(folder.secret, 'utf8') }
  const manifest: BaseManifest = { ...described, ...taken, folders: [...folders], files: [...files] }
  await begun.write(BASE_MANIFEST, bytesOf(Buffer.from(`${JSON.stringify(manifest)}\n`)))
  await begun.finish()
  return name
}

/** Under the lock of the base that was taken: another one would need segments that are removed here. */
async function prune(archive: WalArchive, keep: number): Promise<{ readonly bases: number; readonly segments: number }> {
  const bases = await basesIn(archive.bases)
  const [removed, kept] = [bases.slice(0, -keep), bases.slice(-keep)]
  const unfinished = (await readdir(archive.bases)).filter((name) => name.endsWith('.partial'))
  for (const name of [...removed.map((base) => base.name), ...unfinished])
    await rm(join(archive.bases, name), { recursive: true, force: true })
  const first = kept.map(({ manifest }) => manifest.segment).toSorted((a, b) => (a < b ? -1 : 1))[0] ?? ''
  // Names order as segments do; the history of a timeline is kept.
  const old = (await readdir(archive.wal)).filter((name) => /^[0-9A-F]{24}\./.test(name) && name.slice(0, 24) < first)
  for (const name of old) await rm(join(archive.wal, name), { force: true })
  return { bases: removed.length, segments: old.length }
}

const bytesOf = (bytes: Uint8Array): Readable => Readable.from([bytes], { objectMode: false })
