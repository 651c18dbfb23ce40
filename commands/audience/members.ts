import { BUCKETS, HASH_BYTES, type Bucketed } from './audience-port.ts'

/** Lists of hashes of 16 bytes, one after the other. */

export const EVERY_BUCKET: readonly number[] = Array.from({ length: BUCKETS }, (_, bucket) => bucket)

/** Sorted buckets in which each hash stands once. */
export function uniqueMembers(buckets: readonly Bucketed[]): { readonly members: readonly Bucketed[]; readonly count: number } {
  const members = buckets.map(({ bucket, members: of }) => ({ bucket, members: sortedOnce(of) }))
  return { members, count: members.reduce((sum, { members: of }) => sum + of.length / HASH_BYTES, 0) }
}

/** The hashes in order, each once. */
export function sortedOnce(bytes: Buffer): Buffer {
  // Texts sort much faster than slices of a buffer; in latin1 their order is that of the bytes.
  const texts: string[] = []
  for (let at = 0; at < bytes.length; at += HASH_BYTES) texts.push(bytes.toString('latin1', at, at + HASH_BYTES))
  texts.sort()
  return Buffer.from(texts.filter((text, n) => n === 0 || text !== texts[n - 1]).join(''), 'latin1')
}

/** How many hashes two sorted lists share. */
export function sharedMembers(a: Buffer, b: Buffer): number {
  let shared = 0
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const order = a.compare(b, j, j + HASH_BYTES, i, i + HASH_BYTES)
    if (order === 0) shared += 1
    if (order <= 0) i += HASH_BYTES
    if (order >= 0) j += HASH_BYTES
  }
  return shared
}

/** Position of a hash in a sorted list, in bytes; -1 when it is not in it. */
export function placeIn(members: Buffer, hash: Buffer): number {
  let low = 0
  let high = members.length / HASH_BYTES
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = hash.compare(members, middle * HASH_BYTES, (middle + 1) * HASH_BYTES)
    if (order === 0) return middle * HASH_BYTES
    if (order > 0) low = middle + 1
    else high = middle
  }
  return -1
}
