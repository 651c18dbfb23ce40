import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HASH_BYTES } from './audience-port.ts'
import { createIdentifierHash } from './identifier-hash.ts'
import { placeIn, sharedMembers, sortedOnce, uniqueMembers } from './members.ts'
import { createHashes } from './hashes.ts'

it('identifiers are hashed with HMAC-SHA-256', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 64 }),
      fc.array(fc.string({ unit: 'grapheme', maxLength: 300 })),
      (bytes, texts) => {
        const key = Buffer.from(bytes)
        const hashOf = createIdentifierHash(key)
        for (const text of texts)
          expect(Buffer.from(hashOf(text), 'latin1').toString('hex')).toBe(createHmac('sha256', key).update(text).digest('hex'))
      },
    ),
  )
})

const hashes = fc.array(
  fc.uint8Array({ minLength: HASH_BYTES, maxLength: HASH_BYTES }).map((bytes) => Buffer.from(bytes)),
  { size: 'max', maxLength: 60 },
)
const some = fc.integer({ min: 0, max: 12 })

it('lists of hashes are sorted, unique, searched and intersected as sets are', () => {
  fc.assert(
    fc.property(hashes, some, some, (all, from, length) => {
      const repeated = [...all, ...all.slice(from, from + length)]
      const known = [...new Set(all.map((one) => one.toString('hex')))].sort()
      const sorted = sortedOnce(Buffer.concat(repeated))
      expect(sorted.toString('hex')).toBe(known.join(''))
      for (const one of all) expect(sorted.subarray(placeIn(sorted, one), placeIn(sorted, one) + HASH_BYTES)).toEqual(one)
      expect(placeIn(sorted, randomBytes(HASH_BYTES))).toBe(-1)
      const part = sortedOnce(Buffer.concat(all.slice(from, from + length)))
      expect(sharedMembers(sorted, part)).toBe(part.length / HASH_BYTES)
      expect(sharedMembers(part, sorted)).toBe(part.length / HASH_BYTES)
    }),
  )
})

it('collected hashes are given by their first byte, whatever their number', () => {
  fc.assert(
    fc.property(hashes, (all) => {
      const collected = createHashes(4)
      for (const one of all) collected.add(one.toString('latin1'))
      expect(collected.count).toBe(all.length)
      const buckets = collected.take()
      for (const { bucket, members } of buckets)
        for (let at = 0; at < members.length; at += HASH_BYTES) expect(members[at]).toBe(bucket)
      expect(
        uniqueMembers(buckets)
          .members.map(({ members }) => members.toString('hex'))
          .join(''),
      ).toBe(sortedOnce(Buffer.concat(all)).toString('hex'))
      expect(collected.count).toBe(0)
    }),
  )
})
