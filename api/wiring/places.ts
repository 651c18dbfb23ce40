import { ConfigFault } from '#commands/config-fault'
import { access, constants, mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Config } from '../config.ts'

type Folder = { readonly setting: string; readonly path: string; readonly mode?: number }

/**
 * Refuses folders that cannot be written and an address that cannot be listened on, in one line that names the setting: before a
 * database is started or changed. Nothing keeps the port until the server listens, which then says the same.
 */
export async function refuseUnusablePlaces({ dataDir, archive, fileStore, host, port }: Config): Promise<void> {
  await usable({ setting: 'PLACARD_DATA_DIR', path: dataDir, mode: 0o700 })
  if (archive !== null) await usable({ setting: 'PLACARD_PG_ARCHIVE', path: archive })
  if (fileStore.kind === 'folder') await usable({ setting: 'FILE_STORE_URL', path: fileStore.path })
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ host, port }, resolve)).catch(
    (error: unknown) => {
      throw listenFault(error, { host, port }) ?? error
    },
  )
  await new Promise((resolve) => server.close(resolve))
}

/** Makes the folder of a setting; throws ConfigFault with one line when it cannot be used. */
export async function usable({ setting, path, mode }: Folder): Promise<void> {
  try {
    await mkdir(path, { recursive: true, ...(mode === undefined ? {} : { mode }) })
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new ConfigFault(`${setting}: the folder ${path} cannot be used: ${FOLDER_CAUSES[codeOf(error)] ?? messageOf(error)}`)
  }
}

const FOLDER_CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write it',
  EPERM: 'this user may not write it',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file has this name',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The fault of an address that cannot be listened on; null for any other error. */
export function listenFault(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): ConfigFault | null {
  const line = {
    EADDRINUSE: `PORT: the port ${port} is already in use`,
    EACCES: `PORT: this user may not listen on port ${port}`,
    EADDRNOTAVAIL: `HOST: ${host} is no address of this machine`,
    EAFNOSUPPORT: `HOST: this machine has no addresses of the kind of ${host}`,
    ENOTFOUND: `HOST: the name ${host} is unknown`,
    EAI_AGAIN: `HOST: the name ${host} could not be looked up`,
    EINVAL: `HOST: ${host} cannot be listened on`,
  }[codeOf(error)]
  return line === undefined ? null : new ConfigFault(line)
}
