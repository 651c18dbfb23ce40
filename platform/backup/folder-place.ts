import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Place } from './place.ts'

/** Backups hold personal data, password hashes and keys. */
const OWNER_ONLY = 0o600

/** Backups in a folder of this machine. What was not finished is named `.partial`. */
export function createFolderPlace(folder: string): Place {
  const pathOf = (name: string): string => join(folder, ...name.split('/'))
  return {
    addressOf: pathOf,
    async begin(backup) {
      const [path, partial] = [pathOf(backup), `${pathOf(backup)}.partial`]
      await makeFolder(partial)
      return {
        write: (file, source) => writeWhole(join(partial, file), source),
        async finish() {
          await rename(partial, path)
          await flushFolder(folder)
        },
      }
    },
    async names(below) {
      const found = await readdir(pathOf(below), { recursive: true, withFileTypes: true }).catch(absent([]))
      const files = found.filter((entry) => entry.isFile() && !entry.name.endsWith('.partial'))
      return new Set(files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/')))
    },
    write: (name, source) => writeWhole(pathOf(name), source),
    async read(name) {
      const file = await open(pathOf(name)).catch(absent(null))
      return file === null ? null : file.createReadStream()
    },
    close: () => {},
  }
}

/** Answer for a path that does not exist; any other error goes on. */
const absent =
  <T>(answer: T) =>
  (error: unknown): T => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return answer
    throw error
  }

const makeFolder = (path: string): Promise<unknown> => mkdir(path, { recursive: true, mode: 0o700 })

async function writeWhole(path: string, source: Readable): Promise<void> {
  await makeFolder(dirname(path))
  const temporary = `${path}.${process.pid}.partial`
  try {
    await pipeline(source, createWriteStream(temporary, { mode: OWNER_ONLY, flush: true }))
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** After this, what was renamed into the folder survives a loss of power. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
