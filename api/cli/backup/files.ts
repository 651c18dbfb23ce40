import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/** They hold personal data, password hashes and keys. */
const OWNER_ONLY = 0o600
/** Fast: most of a backup is JSON, and its first level takes most of the size. */
const LEVEL = 1

export const makeFolder = (path: string): Promise<unknown> => mkdir(path, { recursive: true, mode: 0o700 })

/** Writes a new file, compressed and flushed; resolves with the SHA-256 of what is on the disk. */
export async function writeCompressed(path: string, source: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(
    source,
    createGzip({ level: LEVEL }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        yield chunk
      }
    },
    createWriteStream(path, { flags: 'wx', mode: OWNER_ONLY, flush: true }),
  )
  return hash.digest('hex')
}

export function readCompressed(path: string): Readable {
  const plain = createGunzip()
  // An error of the file is one of the rows.
  pipeline(createReadStream(path), plain).catch((error: unknown) => plain.destroy(error instanceof Error ? error : undefined))
  return plain
}

export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Where the bytes of a stored file lie, in a folder that all backups of a place share. */
export const blobPath = (place: string, sha256: string): string => join(place, 'files', sha256.slice(0, 2), sha256)

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Writes a file whole or not at all. */
export async function writeWhole(path: string, bytes: Uint8Array | string): Promise<void> {
  await makeFolder(dirname(path))
  const temporary = `${path}.${process.pid}.partial`
  await writeFile(temporary, bytes, { mode: OWNER_ONLY, flush: true })
  await rename(temporary, path)
}

/** After this, what was renamed into the folder survives a loss of power. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
