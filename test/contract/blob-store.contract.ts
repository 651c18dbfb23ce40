import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlobStore } from '#commands/files/media'

export type BlobsUnderTest = {
  readonly store: BlobStore
  /** Replaces stored bytes behind the back of the store. */
  readonly corrupt?: (sha256: string) => Promise<void>
  /** The number of stored files, in any place. */
  readonly count: () => Promise<number>
  readonly close: () => Promise<void>
}

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Tests every adapter of the port. */
export function blobStoreContract(name: string, open: () => Promise<BlobsUnderTest>): void {
  describe(name, () => {
    let opened: BlobsUnderTest
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.close())

    const putSome = async (bytes: Buffer = randomBytes(100)): Promise<string> => {
      const sha256 = hashOf(bytes)
      await opened.store.put(sha256, bytes)
      return sha256
    }

    it.each([0, 1, 10 * 1024 ** 2])('returns the %d bytes that were stored', async (length) => {
      const bytes = randomBytes(length)
      const sha256 = await putSome(bytes)

      // Not toEqual: it takes seconds for ten megabytes.
      expect((await opened.store.get(sha256)).equals(bytes)).toBe(true)
    })

    it('stores the same content once', async () => {
      const bytes = randomBytes(100)
      const before = await opened.count()

      await putSome(bytes)
      await putSome(bytes)

      expect(await opened.count()).toBe(before + 1)
    })

    it('stores content once that is put twenty times concurrently', async () => {
      const bytes = randomBytes(200_000)
      const before = await opened.count()

      await Promise.all(Array.from({ length: 20 }, () => putSome(bytes)))

      expect(await opened.count()).toBe(before + 1)
      expect((await opened.store.get(hashOf(bytes))).equals(bytes)).toBe(true)
    })

    it('returns a range, both ends included', async () => {
      const bytes = randomBytes(5000)
      const sha256 = await putSome(bytes)

      expect((await opened.store.range(sha256, { from: 10, to: 19 })).equals(bytes.subarray(10, 20))).toBe(true)
      expect((await opened.store.range(sha256, { from: 4999, to: 4999 })).equals(bytes.subarray(4999))).toBe(true)
    })

    it('returns no shortened range', async () => {
      const sha256 = await putSome(randomBytes(100))

      await expect(opened.store.range(sha256, { from: 90, to: 100 })).rejects.toThrow(sha256)
    })

    it('returns the length, and none of missing content', async () => {
      const sha256 = await putSome(randomBytes(4321))

      expect(await opened.store.length(sha256)).toBe(4321)
      expect(await opened.store.length(hashOf(randomBytes(100)))).toBeNull()
    })

    it('removes content, and accepts a second removal', async () => {
      const before = await opened.count()
      const sha256 = await putSome()
      await opened.store.remove(sha256)
      await opened.store.remove(sha256)

      expect(await opened.count()).toBe(before)
      await expect(opened.store.get(sha256)).rejects.toThrow(sha256)
    })

    it('publishes under a name, and replaces what was there', async () => {
      const before = await opened.count()
      await opened.store.publish('proof/checkpoint', Buffer.from('first'))
      await opened.store.publish('proof/checkpoint', Buffer.from('second'))
      await opened.store.publish('proof/checkpoints/12', Buffer.from('third'))

      expect(await opened.count()).toBe(before + 2)
      for (const name of ['../outside', '/etc/passwd', 'proof/../../outside', 'ab/cd', 'proof', 'proof/'])
        await expect(opened.store.publish(name, Buffer.from('no'))).rejects.toThrow('not the name of a published file')
      expect(await opened.count()).toBe(before + 2)
    })

    it('reports missing content with its hash', async () => {
      const sha256 = hashOf(randomBytes(100))

      await expect(opened.store.get(sha256)).rejects.toThrow(sha256)
    })

    it('refuses to return bytes with a wrong hash', async ({ skip }) => {
      const { corrupt, store } = opened
      if (corrupt === undefined) return skip()
      const sha256 = await putSome()
      await corrupt(sha256)

      await expect(store.get(sha256)).rejects.toThrow(`file ${sha256} does not match its hash`)
    })

    const good = hashOf(Buffer.from('good'))
    it.each([
      ['empty', ''],
      ['a path outside the store', '../../../../outside'],
      ['a path outside the store of 64 characters', `../${'a'.repeat(61)}`],
      ['an absolute path', '/etc/passwd'],
      ['63 digits', good.slice(1)],
      ['65 digits', `${good}0`],
      ['not hexadecimal', `g${good.slice(1)}`],
      ['upper case', good.toUpperCase()],
      ['followed by a newline', `${good}\n`],
    ])('refuses a name that is %s', async (_what, name) => {
      const before = await opened.count()

      await expect(opened.store.put(name, Buffer.from('good'))).rejects.toThrow('64 lower-case hex digits')
      await expect(opened.store.get(name)).rejects.toThrow('64 lower-case hex digits')
      expect(await opened.count()).toBe(before)
    })
  })
}
