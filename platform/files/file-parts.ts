import { createHash } from 'node:crypto'
import type { BlobStore, ByteRange } from '#commands/files/media'

/** Size of a file in memory while its reader takes it, bytes. Shorter ones are read in one go. */
export const PART_BYTES = 1024 ** 2

/** Bytes of a file from one offset to another, both included, read as they are taken. */
export async function* rangeInParts(
  blobs: Pick<BlobStore, 'range'>,
  sha256: string,
  { from, to }: ByteRange,
): AsyncGenerator<Buffer> {
  for (let at = from; at <= to; at += PART_BYTES)
    yield await blobs.range(sha256, { from: at, to: Math.min(to, at + PART_BYTES - 1) })
}

/**
 * A whole file, read as it is taken. Its last part follows once all of it matches the hash: what a reader gets of a damaged file is
 * shorter than announced, so that no cache keeps it.
 */
export async function* wholeInParts(blobs: Pick<BlobStore, 'range'>, sha256: string, bytes: number): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let before: Buffer | null = null
  for await (const part of rangeInParts(blobs, sha256, { from: 0, to: bytes - 1 })) {
    hash.update(part)
    if (before !== null) yield before
    before = part
  }
  if (hash.digest('hex') !== sha256) throw new Error(`file ${sha256} does not match its hash`)
  if (before !== null) yield before
}
