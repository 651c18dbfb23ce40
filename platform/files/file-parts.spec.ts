import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ByteRange } from '#commands/files/media'
import { PART_BYTES, rangeInParts, wholeInParts } from './file-parts.ts'

const storing = (bytes: Buffer) => {
  const read: ByteRange[] = []
  const range = async (_: string, asked: ByteRange) => {
    read.push(asked)
    return bytes.subarray(asked.from, asked.to + 1)
  }
  return { read, range }
}
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function gathered(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}

describe('a file in parts', () => {
  it.each([1, PART_BYTES, PART_BYTES + 1, 3 * PART_BYTES - 1])(
    'a file in parts of %d bytes is the same as the whole',
    async (length) => {
      const bytes = randomBytes(length)
      expect((await gathered(wholeInParts(storing(bytes), hashOf(bytes), length))).equals(bytes)).toBe(true)
      const range = { from: Math.min(5, length - 1), to: length - 1 }
      expect((await gathered(rangeInParts(storing(bytes), '', range))).equals(bytes.subarray(range.from))).toBe(true)
    },
  )

  it('a file in parts is read no further than its reader takes it', async () => {
    const bytes = randomBytes(10 * PART_BYTES)
    const store = storing(bytes)
    const parts = wholeInParts(store, hashOf(bytes), bytes.length)
    await parts.next()
    expect(store.read).toHaveLength(2)
  })

  it('a file in parts that is damaged ends before its last part', async () => {
    const bytes = randomBytes(2 * PART_BYTES)
    const parts = wholeInParts(storing(bytes), hashOf(randomBytes(5)), bytes.length)
    expect(await parts.next()).toMatchObject({ done: false })
    await expect(parts.next()).rejects.toThrow('does not match its hash')
  })
})
