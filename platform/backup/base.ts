import type { Dirent } from 'node:fs'
import { open, readdir, type FileHandle } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import type { PoolClient } from 'pg'

/** One at a time: what an older one still needs is not removed meanwhile. */
const LOCK = 7_201_320
/** How long PostgreSQL may take to archive the last segment of a base, milliseconds. */
const ARCHIVED_WITHIN_MS = 300_000

/** Bytes that are read at once. */
const CHUNK = 2 ** 20

/** Folders whose files a restored server makes by itself, or must not have (PostgreSQL 18 manual, section 25.3.4). */
const EMPTY = ['pg_wal', 'pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans']
const LEFT_OUT = /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|recovery\.signal|standby\.signal)$/
const TEMPORARY = /^(pgsql_tmp|pg_internal\.init)/
/** Last, as it says how far the server is. */
const CONTROL = 'global/pg_control'

/** A file of the data folder, with slashes in its name, and how many bytes of it were copied. */
export type BaseFile = { readonly name: string; readonly size: number }

export type TakenBase = {
  /** The first segment that a restore of it reads. */
  readonly segment: string
  /** From here on the archive leads to any instant, ISO 8601 UTC. */
  readonly at: string
  readonly folders: readonly string[]
  /** In the order in which their bytes were sent. */
  readonly files: readonly BaseFile[]
  /** Content of the file `backup_label` of a restored data folder. */
  readonly label: string
}

/**
 * Copies the data folder of a running server by the low-level API of PostgreSQL: `send` gets the bytes of all files, one after the other, and
 * the server goes on meanwhile. Resolves once the archive has what the copy needs. Throws with one line when another base is being taken, or
 * the archive takes nothing.
 */
export async function takeBase(client: PoolClient, data: string, send: (source: Readable) => Promise<void>): Promise<TakenBase> {
  const { rows: locked } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [LOCK])
  if (locked[0]?.ours !== true) throw new Error('another base backup is being taken')
  await client.query('set statement_timeout = 0')
  await client.query('select pg_backup_start($1, true)', ['placard'])
  const { names, folders } = await contentsOf(data)
  const files: BaseFile[] = []
  await send(
    Readable.from(
      bytesOf(data, names, (file) => files.push(file)),
      { objectMode: false },
    ),
  )
  await client.query(`set statement_timeout = ${ARCHIVED_WITHIN_MS}`)
  const { rows } = await client
    .query<{ labelfile: string; spcmapfile: string; at: Date }>(
      `select labelfile, spcmapfile, clock_timestamp() as at from pg_backup_stop(true)`,
    )
    .catch((cause: unknown) => {
      throw new Error('the archive took no segment for five minutes: see postgres.log in the folder of the database', { cause })
    })
  const [stopped] = rows
  const segment = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(stopped?.labelfile ?? '')?.[1]
  if (stopped === undefined || segment === undefined) throw new Error('PostgreSQL gave no label of the base backup')
  if (stopped.spcmapfile !== '') throw new Error('a database with tablespaces has no base backups')
  return { segment, at: stopped.at.toISOString(), folders, files, label: stopped.labelfile }
}

async function* bytesOf(data: string, names: readonly string[], sent: (file: BaseFile) => void): AsyncGenerator<Buffer> {
  for (const name of names) {
    const file = await openIfThere(join(data, name))
    if (file === null) continue
    let size = 0
    for await (const chunk of file.createReadStream({ highWaterMark: CHUNK })) {
      if (!Buffer.isBuffer(chunk)) throw new Error('a file is read as bytes')
      size += chunk.length
      yield chunk
    }
    sent({ name, size })
  }
}

/** Null for a file that is gone: tables are dropped at any time, and their files with them. */
async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function contentsOf(data: string): Promise<{ readonly names: readonly string[]; readonly folders: readonly string[] }> {
  const entries = await readdir(data, { recursive: true, withFileTypes: true })
  const nameOf = ({ parentPath, name }: Dirent): string => relative(data, join(parentPath, name)).split(sep).join('/')
  const kept = entries.filter(({ name }) => !TEMPORARY.test(name) && !LEFT_OUT.test(name))
  const isEmptied = (name: string): boolean => EMPTY.some((folder) => name.startsWith(`${folder}/`))
  const files = kept.filter((entry) => entry.isFile()).map(nameOf)
  return {
    names: [...files.filter((name) => !isEmptied(name) && name !== CONTROL), CONTROL],
    folders: kept
      .filter((entry) => entry.isDirectory())
      .map(nameOf)
      .toSorted((a, b) => (a < b ? -1 : 1)),
  }
}
