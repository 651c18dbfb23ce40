import { execFile, execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { unprivileged } from './unprivileged.ts'

export const DATABASE_USER = 'placard'

/** The files of one embedded server, all inside one folder. */
export type ClusterFolder = {
  readonly root: string
  readonly data: string
  readonly secret: string
  readonly log: string
  readonly lock: string
  readonly holders: string
  /** Names the WAL archive, where there is one. */
  readonly archive: string
}

export function clusterFolder(dir: string): ClusterFolder {
  const root = path.resolve(dir)
  // The user that PostgreSQL may have to run as walks through those above, and lists none of them.
  mkdirSync(path.dirname(root), { recursive: true, mode: 0o711 })
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const inside = (name: string): string => path.join(root, name)
  return {
    root,
    data: inside('data'),
    secret: inside('secret'),
    log: inside('postgres.log'),
    lock: inside('lock'),
    holders: inside('holders'),
    archive: inside('archive.json'),
  }
}

/** Makes the data folder when there is none, and refuses one that these binaries cannot open. Call under the start lock. */
export async function prepareCluster(folder: ClusterFolder, binaries: PostgresBinaries): Promise<void> {
  const versionFile = path.join(folder.data, 'PG_VERSION')
  if (existsSync(versionFile)) return refuseOtherVersion(folder, binaries, readFileSync(versionFile, 'utf8').trim())
  if (existsSync(folder.data)) {
    throw new Error(`${folder.data} is not a PostgreSQL data folder: move it, or choose another PLACARD_DATA_DIR`)
  }
  await initialise(folder, binaries)
}

export function readSecret(folder: ClusterFolder): string {
  if (!existsSync(folder.secret)) {
    throw new Error(`${folder.secret}, the password of the embedded database, is missing: restore it beside ${folder.data}`)
  }
  return readFileSync(folder.secret, 'utf8')
}

/** Built under another name and renamed when complete: a killed initdb leaves no partial database under the final name. */
async function initialise(folder: ClusterFolder, binaries: PostgresBinaries): Promise<void> {
  for (const name of readdirSync(folder.root)) {
    if (name.startsWith('init-')) rmSync(path.join(folder.root, name), { recursive: true, force: true, maxRetries: 3 })
  }
  if (!existsSync(folder.secret)) writeFileSync(folder.secret, randomBytes(24).toString('base64url'), { mode: 0o600 })
  const draft = path.join(folder.root, `init-${randomUUID()}`)
  const passwordFile = `${draft}.password`
  const { wrap, ids } = unprivileged(folder.data)
  mkdirSync(draft, { mode: 0o700 })
  writeFileSync(passwordFile, `${readSecret(folder)}\n`, { mode: 0o600 })
  if (ids !== null) {
    // The other user must be able to walk through to the data; the secret stays unreadable for them.
    chmodSync(folder.root, 0o711)
    for (const file of [draft, passwordFile]) chownSync(file, ids.uid, ids.gid)
  }
  const options = {
    pgdata: draft,
    username: DATABASE_USER,
    pwfile: passwordFile,
    auth: 'scram-sha-256',
    encoding: 'UTF8',
    // The same order and case rules on every machine, whatever its C library says.
    locale: 'C',
    'locale-provider': 'builtin',
    'builtin-locale': 'C.UTF-8',
  }
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  const [command, args] = wrap(binaries.initdb, ['--data-checksums', ...flags])
  try {
    await promisify(execFile)(command, args, { ...ids, cwd: folder.root, env: serverEnvironment() })
    renameSync(draft, folder.data)
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true })
    const user = ids === null ? '' : ` as user ${ids.uid}, which must be able to enter every folder above it`
    throw new Error(`initdb failed in ${folder.root}${user}`, { cause })
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

/** Nothing of the caller's locale or PG* settings may leak into the server. */
export const serverEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' })

function refuseOtherVersion(folder: ClusterFolder, binaries: PostgresBinaries, found: string): void {
  const ours = / (\d+)/.exec(execFileSync(binaries.postgres, ['--version'], { encoding: 'utf8' }))?.[1]
  if (found === ours) return
  throw new Error(
    `${folder.data} was made by PostgreSQL ${found}, this is PostgreSQL ${ours}: dump it with pg_dump ${found} and load it into ` +
      `a new folder (PLACARD_DATA_DIR), or run PostgreSQL ${found} yourself and set DATABASE_URL`,
  )
}
