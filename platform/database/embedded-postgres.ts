import { setTimeout as delay } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { type ClusterFolder, clusterFolder, DATABASE_USER, prepareCluster, readSecret } from './cluster-folder.ts'
import { join, leave } from './holders.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { isPostmasterOf, type Postmaster, readPostmasterFile } from './postmaster.ts'
import { runningPostmaster, type ServerSettings, startPostmaster } from './postmaster-start.ts'
import { isRunning, processIdentity } from './process-identity.ts'
import { withStartLock } from './start-lock.ts'
import { archiveSettings, chooseArchive } from './wal-archive.ts'

const DATABASE = 'placard'
const LOCK_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 30_000

export type EmbeddedPostgresOptions = {
  /** Folder of the server: data, password, log, lock. Made when missing, for the owner only. */
  readonly dir: string
  readonly log?: (line: string) => void
  /** Server settings on top of the durable defaults. Ignored when a running server is joined. */
  readonly settings?: ServerSettings
  /** Folder of the WAL archive. Null ends the archive; without it, the server keeps what it has. */
  readonly archive?: string | null | undefined
}

export type EmbeddedPostgres = {
  /** Connection string, password included. */
  readonly url: string
  /** Process id of the postmaster. */
  readonly pid: number
  /** Leaves the server, and stops it when no other living process uses it. May be called twice. */
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL of this folder, or joins the one that runs there already: one left over by a killed process, or that
 * of another process. Creates folder and database at first. Works as root and as an ordinary user.
 * Throws with advice when the machine has no binaries, the folder is of another version, or the server does not start.
 */
export async function startEmbeddedPostgres({ dir, log, settings, archive }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = clusterFolder(dir)
  return withStartLock(folder.lock, LOCK_TIMEOUT_MS, async () => {
    const binaries = postgresBinaries()
    await prepareCluster(folder, binaries)
    const chosen = chooseArchive(folder, archive)
    const running = await runningPostmaster(folder)
    const all = { ...settings, ...(chosen === null ? {} : archiveSettings(chosen)) }
    const postmaster = running ?? (await startPostmaster(folder, binaries, all))
    const url = urlOf(folder, postmaster, DATABASE)
    await createDatabase(url, urlOf(folder, postmaster, 'postgres'))
    const ticket = join(folder.holders)
    log?.(`PostgreSQL ${postmaster.pid} ${running === null ? 'started' : 'joined'} in ${folder.root}, port ${postmaster.port}`)
    let stopped: Promise<void> | undefined
    return { url, pid: postmaster.pid, stop: () => (stopped ??= leaveServer(folder, ticket)) }
  })
}

function urlOf(folder: ClusterFolder, { port }: Postmaster, database: string): string {
  // sslmode against a PGSSLMODE of the caller: loopback is plain.
  return `postgres://${DATABASE_USER}:${readSecret(folder)}@127.0.0.1:${port}/${database}?sslmode=disable`
}

/** Doubles as the proof that the server answers and is ours: it knows the password of this folder. */
async function createDatabase(url: string, maintenanceUrl: string): Promise<void> {
  try {
    await run(url, 'select 1')
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== '3D000') throw error
    await run(maintenanceUrl, `create database ${DATABASE}`)
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function leaveServer(folder: ClusterFolder, ticket: string): Promise<void> {
  await withStartLock(folder.lock, LOCK_TIMEOUT_MS, async () => {
    if (!leave(folder.holders, ticket)) return
    const running = readPostmasterFile(folder.data)
    if (running !== null) await stopPostmaster(running.pid, folder.data)
  })
}

/** Fast shutdown (connections are cut, everything is written); immediate, with recovery at the next start, if that hangs. */
export async function stopPostmaster(pid: number, dataFolder: string): Promise<void> {
  // An ending process loses its command line and folder before it disappears: it no longer looks like a postmaster, but still
  // exists ("the server of a killed process is reused, and stops with its last user" failed on it now and then).
  const identity = processIdentity(pid)
  if (identity === null || !isPostmasterOf(pid, dataFolder)) return
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!isRunning(identity)) return
    try {
      process.kill(pid, signal)
    } catch {
      // It ended between the check and the signal.
    }
    const deadline = Date.now() + STOP_TIMEOUT_MS
    while (isRunning(identity) && Date.now() < deadline) await delay(5)
  }
}
