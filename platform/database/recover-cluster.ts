import { chmodSync, chownSync, existsSync, lstatSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ClusterFolder } from './cluster-folder.ts'
import { stopPostmaster } from './embedded-postgres.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { startPostmaster } from './postmaster-start.ts'
import { unprivileged } from './unprivileged.ts'
import { recoverySettings, type WalArchive } from './wal-archive.ts'

/** The archive ends before the instant. */
export class ArchiveEnds extends Error {
  /** Time of the last transaction that the archive holds; null without one. */
  readonly last: Date | null

  constructor(last: Date | null) {
    super('the archive ends before this instant')
    this.name = 'ArchiveEnds'
    this.last = last
  }
}

/**
 * Replays the archive on the base in this folder, until `at`, and leaves a stopped server that goes on from there.
 * Throws ArchiveEnds when a segment before the instant is missing or damaged.
 */
export async function recoverCluster(folder: ClusterFolder, archive: WalArchive, at: Date): Promise<void> {
  writeFileSync(path.join(folder.data, 'recovery.signal'), '', { mode: 0o600 })
  handOver(folder)
  try {
    const { pid } = await startPostmaster(folder, postgresBinaries(), recoverySettings(archive, at), Infinity)
    await stopPostmaster(pid, folder.data)
  } catch (error) {
    const log = existsSync(folder.log) ? readFileSync(folder.log, 'utf8') : ''
    if (!/recovery ended before configured recovery target was reached/.test(log)) throw error
    const last = /last completed transaction was at log time (.+)$/m.exec(log)?.[1]
    throw new ArchiveEnds(last === undefined ? null : new Date(last.replace(' ', 'T').replace(/\+00$/, 'Z')))
  }
}

/** Where root cannot run the server under its own files, they go to the user that it runs as. */
function handOver(folder: ClusterFolder): void {
  // As for a folder that is not there yet: this one is root's.
  const { ids } = unprivileged(`${folder.data}.new`)
  if (ids === null) return
  chmodSync(folder.root, 0o711)
  const names = readdirSync(folder.data, { recursive: true, encoding: 'utf8' })
  for (const name of ['', ...names]) {
    const file = path.join(folder.data, name)
    if (!lstatSync(file).isSymbolicLink()) chownSync(file, ids.uid, ids.gid)
  }
}
