import { createHash } from 'node:crypto'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/** Fast: most of a backup is JSON, and its first level takes most of the size. */
const LEVEL = 1

/** Compresses what is read; the SHA-256 is that of all compressed bytes, once they were read. */
export function compressed(source: Readable): { readonly stream: Readable; readonly sha256: () => string } {
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream: chained(source, [createGzip({ level: LEVEL })], hashed), sha256: () => hash.digest('hex') }
}

export const decompressed = (source: Readable): Readable => chained(source, [], createGunzip())

/** The end of a chain, which fails where any part of it does. */
function chained(source: Readable, steps: readonly Transform[], end: Transform): Readable {
  pipeline([source, ...steps, end]).catch((error: unknown) => end.destroy(error instanceof Error ? error : undefined))
  return end
}

export async function hashOf(source: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(source, hash)
  return hash.digest('hex')
}

/** The folder that all backups of a place share. */
export const FILES = 'files'

/** Where the bytes of a stored file lie in a place. */
export const fileName = (sha256: string): string => `${FILES}/${sha256.slice(0, 2)}/${sha256}`

/** Files at once: a bucket takes its time for each, and each is in memory. */
const AT_ONCE = 4

export async function forEachFile<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
