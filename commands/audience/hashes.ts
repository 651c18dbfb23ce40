import { BUCKETS, HASH_BYTES, type Bucketed } from './audience-port.ts'

/** Hashes that a buffer holds before it grows. */
const FIRST_ROOM = 65_536

/** Collects hashes in one buffer, and gives them by bucket. */
export function createHashes(firstRoom = FIRST_ROOM) {
  let bytes = Buffer.allocUnsafe(firstRoom * HASH_BYTES)
  let count = 0
  return {
    /** Adds the first bytes of a hash, which is text of latin1. */
    add(hash: string): void {
      if ((count + 1) * HASH_BYTES > bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2)
      bytes.write(hash, count * HASH_BYTES, HASH_BYTES, 'latin1')
      count += 1
    },
    get count(): number {
      return count
    },
    /** The hashes by bucket, in order of the buckets; empties the buffer. */
    take(): readonly Bucketed[] {
      const sizes = new Uint32Array(BUCKETS)
      for (let n = 0; n < count; n++) {
        const bucket = bytes[n * HASH_BYTES] ?? 0
        sizes[bucket] = (sizes[bucket] ?? 0) + HASH_BYTES
      }
      const buckets = Array.from(sizes, (size) => Buffer.allocUnsafe(size))
      const filled = new Uint32Array(BUCKETS)
      for (let n = 0; n < count; n++) {
        const bucket = bytes[n * HASH_BYTES] ?? 0
        const at = filled[bucket] ?? 0
        bytes.copy(buckets[bucket] ?? Buffer.alloc(0), at, n * HASH_BYTES, (n + 1) * HASH_BYTES)
        filled[bucket] = at + HASH_BYTES
      }
      count = 0
      return buckets.flatMap((members, bucket) => (members.length === 0 ? [] : [{ bucket, members }]))
    },
  }
}
