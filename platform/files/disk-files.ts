import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkPublishedName, type BlobStore } from '#commands/files/media'
import { sha256 as hashOf } from '#commands/files/sha256'

const SHA256 = /^[0-9a-f]{64}$/

/**
 * Path of content in any store, so that a folder can be copied into a bucket. Throws when the hash is not 64 lower-case hex
 * digits.
 */
export function blobPath(sha256: string): string {
  // Any other text could leave the store's folder.
  if (!SHA256.test(sha256)) throw new Error('the name of a file is the SHA-256 of its bytes in 64 lower-case hex digits')
  return `${sha256.slice(0, 2)}/${sha256}`
}

/** The bytes; rejects, naming the hash, when they do not match it: disks and stores can corrupt data. */
export async function verified(sha256: string, bytes: Buffer): Promise<Buffer> {
  if ((await hashOf(bytes)) !== sha256) throw new Error(`file ${sha256} does not match its hash`)
  return bytes
}

/**
 * Files on the local disk, named by the hash of their content: the same picture is kept once. Both calls fail when the hash is
 * malformed or the disk does; `get` also when the file is missing or its bytes have another hash.
 */
export function createDiskFiles(folder: string): BlobStore {
  return {
    async put(sha256, bytes) {
      const path = join(folder, blobPath(sha256))
      if (await stat(path).catch(() => null)) return
      await writeWhole(path, bytes)
    },
    async publish(name, bytes) {
      checkPublishedName(name)
      await writeWhole(join(folder, name), bytes)
    },
    async range(sha256, { from, to }) {
      const file = await open(join(folder, blobPath(sha256)))
      try {
        const bytes = Buffer.alloc(to - from + 1)
        const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
        if (bytesRead < bytes.length) throw new Error(`file ${sha256} is shorter than it was`)
        return bytes
      } finally {
        await file.close()
      }
    },
    async length(sha256) {
      try {
        return (await stat(join(folder, blobPath(sha256)))).size
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      }
    },
    remove: (sha256) => rm(join(folder, blobPath(sha256)), { force: true }),
    get: async (sha256) => verified(sha256, await readFile(join(folder, blobPath(sha256)))),
  }
}

/** Readers see all of the bytes or none of them. */
async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
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
}
