import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigFault } from '#commands/config-fault'
import type { ClusterFolder } from './cluster-folder.ts'
import type { ServerSettings } from './postmaster-start.ts'
import { unprivileged } from './unprivileged.ts'

/** A segment that is not full is archived after this long, seconds: what a loss of the machine costs at most. */
const TIMEOUT_S = 60

/** The WAL archive of one embedded server, and the base backups that it continues. */
export type WalArchive = {
  readonly root: string
  /** Compressed segments. */
  readonly wal: string
  readonly bases: string
  /** Names the server that archives here, and proves that the disk is mounted. */
  readonly marker: string
}

export function walArchive(root: string): WalArchive {
  const inside = (name: string): string => path.join(root, name)
  return { root, wal: inside('wal'), bases: inside('base'), marker: inside('archive.json') }
}

/** In the folder of the server: its archive. Every start of the server reads it, so that a tool's start leaves no gap. */
type Claim = { readonly root: string; readonly id: string }

/** The archive of the server in this folder; null without one. */
export function archiveOf(folder: Pick<ClusterFolder, 'archive'>): WalArchive | null {
  const claim = readClaim(folder.archive)
  return claim === null ? null : walArchive(claim.root)
}

/**
 * Makes `root` the archive of this server; null ends its archive, and undefined keeps what it has. Call under the start lock, before the
 * server starts. Throws ConfigFault for a folder that other segments are in: two histories in one archive restore neither.
 */
export function chooseArchive(folder: ClusterFolder, root: string | null | undefined): WalArchive | null {
  if (root === null) rmSync(folder.archive, { force: true })
  if (typeof root === 'string') claimArchive(folder, walArchive(root))
  return archiveOf(folder)
}

function claimArchive(folder: ClusterFolder, archive: WalArchive): void {
  const [claim, marked] = [readClaim(folder.archive), readClaim(archive.marker)]
  if (claim !== null && marked?.id === claim.id) {
    // It may have been moved.
    if (claim.root !== archive.root) writeClaim(folder.archive, { root: archive.root, id: claim.id })
    return
  }
  if (claim?.root === archive.root && marked === null)
    throw new ConfigFault(
      `PLACARD_PG_ARCHIVE: ${archive.root} has lost its archive.json: is its disk mounted? Choose an empty folder for a new archive`,
    )
  if (!isEmpty(archive))
    throw new ConfigFault(
      `PLACARD_PG_ARCHIVE: ${archive.root} holds the archive of another database, or of this one before a restore or a pause: choose an empty folder`,
    )
  makeFolders(folder, archive)
  const id = marked?.id ?? randomUUID()
  // First the marker: a start that ends between the two finds an archive without segments, and takes it.
  writeClaim(archive.marker, { root: archive.root, id })
  writeClaim(folder.archive, { root: archive.root, id })
}

function isEmpty({ root, wal, marker }: WalArchive): boolean {
  const namesIn = (dir: string) => (existsSync(dir) ? readdirSync(dir) : [])
  const known = new Set([path.basename(wal), path.basename(marker), 'lost+found'])
  return namesIn(wal).length === 0 && namesIn(root).every((name) => known.has(name))
}

function makeFolders(folder: ClusterFolder, { root, wal }: WalArchive): void {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  mkdirSync(wal, { recursive: true, mode: 0o700 })
  const { ids } = unprivileged(folder.data)
  if (ids === null) return
  // The user that the server runs as walks through to its segments, and reads the marker.
  chmodSync(root, 0o711)
  chownSync(wal, ids.uid, ids.gid)
}

/** Null without a file, or with one that is damaged. */
function readClaim(file: string): Claim | null {
  if (!existsSync(file)) return null
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof found !== 'object' || found === null || !('root' in found) || !('id' in found)) return null
    return { root: String(found.root), id: String(found.id) }
  } catch {
    return null
  }
}

const writeClaim = (file: string, claim: Claim): void =>
  writeFileSync(file, `${JSON.stringify(claim)}\n`, { mode: 0o644, flush: true })

/** Settings with which a server archives its WAL. */
export const archiveSettings = (archive: WalArchive): ServerSettings => ({
  archive_mode: 'on',
  archive_timeout: String(TIMEOUT_S),
  archive_command: archiveCommand(archive),
})

/**
 * Copies a segment: compressed, flushed and only then under its name. A segment that is there already succeeds if it is the same, as after
 * a crash before PostgreSQL noted it, and fails otherwise. It runs in a shell of the server: another user may not reach Node's files.
 */
export function archiveCommand({ root, wal, marker }: WalArchive): string {
  const target = `${quoted(wal)}/%f.gz`
  return [
    'umask 077',
    `test -f ${quoted(marker)} || exit 1`,
    `if test -f ${target}; then gzip -dc ${target} | cmp -s - "%p" || exit 1`,
    `else gzip -1 -n -c "%p" > ${target}.copying && sync ${target}.copying && mv ${target}.copying ${target} || exit 1; fi`,
    `sync ${quoted(wal)} ${quoted(root)}`,
  ].join('; ')
}

/** Settings with which a server replays an archive until an instant, and then goes on by itself. */
export const recoverySettings = ({ wal }: WalArchive, at: Date): ServerSettings => ({
  restore_command: `gzip -dc ${quoted(wal)}/%f.gz > "%p"`,
  // The names of zones, and Z is one, are not known yet when this is read.
  recovery_target_time: at.toISOString().replace('Z', '+00'),
  recovery_target_action: 'promote',
  // The history that this archive holds; after a restore a server gets its own archive.
  recovery_target_timeline: 'current',
  // Ready means recovered.
  hot_standby: 'off',
})

/** A path in a command of PostgreSQL's settings, where % begins a placeholder. */
const quoted = (file: string): string => `'${file.replaceAll('%', '%%').replaceAll("'", String.raw`'\''`)}'`
