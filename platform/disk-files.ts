import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BlobStore } from '../api/files/media.ts'

/** Files on the local disk, named by the hash of their content: the same picture is kept once. */
export function createDiskFiles(folder: string): BlobStore {
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256)
  return {
    async put(sha256, bytes) {
      const path = pathOf(sha256)
      if (await stat(path).catch(() => null)) return
      await mkdir(dirname(path), { recursive: true })
      const temporary = `${path}.${randomBytes(6).toString('hex')}`
      const file = await open(temporary, 'wx')
      try {
        await file.writeFile(bytes)
        // The record that names this file is durable, so the file must be before it.
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(temporary, path)
    },
    get: (sha256) => readFile(pathOf(sha256)),
  }
}
