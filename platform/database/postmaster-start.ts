import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ClusterFolder, serverEnvironment } from './cluster-folder.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { isPostmasterOf, type Postmaster, readPostmasterFile } from './postmaster.ts'
import { unprivileged } from './unprivileged.ts'

const READY_MS = 60_000
const POLL_MS = 5
/** Transient errors: the port was taken, or backends of a killed postmaster have not ended yet. */
const PASSING_FAULT = /Address already in use|could not bind|shared memory block/

/** Settings every embedded server runs with; `settings` of the caller go on top. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  // A socket file in /tmp would be one more stale lock after a crash.
  unix_socket_directories: '',
  shared_buffers: '128MB',
  max_connections: '200',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  // Statements hold personal data and their errors reach the caller: only the server's own messages go to the file.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

export type ServerSettings = Readonly<Record<string, string>>

/** The postmaster that already serves this folder, ready; null when none does. */
export async function runningPostmaster(folder: ClusterFolder): Promise<Postmaster | null> {
  const deadline = Date.now() + READY_MS
  for (;;) {
    const found = readPostmasterFile(folder.data)
    if (found === null || !isPostmasterOf(found.pid, folder.data)) return null
    if (found.status === 'ready') return found
    if (Date.now() > deadline) throw new Error(`PostgreSQL ${found.pid} in ${folder.data} stays "${found.status}"`)
    await delay(POLL_MS)
  }
}

/** `readyMs` is how long it may take until it is ready, milliseconds. */
export async function startPostmaster(
  folder: ClusterFolder,
  binaries: PostgresBinaries,
  settings: ServerSettings,
  readyMs = READY_MS,
): Promise<Postmaster> {
  // PostgreSQL judges a dead number itself, but takes a zombie or a stranger with that number for a living postmaster.
  rmSync(path.join(folder.data, 'postmaster.pid'), { force: true })
  if (existsSync(folder.log)) renameSync(folder.log, `${folder.log}.1`)
  const deadline = Date.now() + readyMs
  for (;;) {
    const started = await launch(folder, binaries, settings, deadline)
    if (started !== null) return started
    const log = readFileSync(folder.log, 'utf8').slice(-4000)
    if (!PASSING_FAULT.test(log) || Date.now() > deadline) throw new Error(`PostgreSQL did not start in ${folder.data}:\n${log}`)
    await delay(50)
  }
}

/** Null when the server ended before it was ready; its log says why. */
async function launch(
  folder: ClusterFolder,
  binaries: PostgresBinaries,
  settings: ServerSettings,
  deadline: number,
): Promise<Postmaster | null> {
  const { wrap, ids } = unprivileged(folder.data)
  const flags = Object.entries({ ...SETTINGS, ...settings, port: String(await freePort()) })
  const [command, args] = wrap(binaries.postgres, [
    '-D',
    folder.data,
    ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  // A file, not a pipe: the server outlives a killed parent and must not write into nothing.
  const log = openSync(folder.log, 'w', 0o600)
  // Detached: Ctrl-C in the terminal is for the application, which closes its connections before it stops the server.
  const child = spawn(command, args, {
    ...ids,
    cwd: folder.root,
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.on('error', () => {})
  child.unref()
  while (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const found = readPostmasterFile(folder.data)
    if (found?.status === 'ready' && found.pid === child.pid) return found
    if (Date.now() > deadline) {
      child.kill('SIGQUIT')
      throw new Error(`PostgreSQL did not get ready in ${folder.data} in time`)
    }
    await delay(POLL_MS)
  }
  return null
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}
