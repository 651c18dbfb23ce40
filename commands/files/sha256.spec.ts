import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sha256 } from './sha256.ts'

describe('the SHA-256 of contents', () => {
  it.each([[[]], [[0]], [[5, 0, 7]], [[1024 ** 2]], [[3 * 1024 ** 2 + 1, 5]]])(
    'the SHA-256 of contents of %j bytes is that of all of them',
    async (lengths) => {
      const contents = lengths.map((length) => randomBytes(length))
      expect(await sha256(...contents)).toBe(createHash('sha256').update(Buffer.concat(contents)).digest('hex'))
    },
  )

  it('the SHA-256 of contents of 40 MiB leaves other work its turns', async () => {
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    await sha256(Buffer.alloc(40 * 1024 ** 2))
    clearInterval(timer)
    expect(turns).toBeGreaterThan(5)
  })
})
