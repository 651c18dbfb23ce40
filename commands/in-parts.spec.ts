import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { mapInParts } from './in-parts.ts'

describe('a long list that is mapped in parts', () => {
  it.each([0, 1, 250, 251, 1000])('a long list of %d items that is mapped in parts has the same result', async (length) => {
    const items = Array.from({ length }, (_, n) => n)
    expect(await mapInParts(items, (n) => n * 2)).toEqual(items.map((n) => n * 2))
  })

  it('leaves turns to calls, one part at a time, however many lists there are', async () => {
    let mappedSince = 0
    let most = 0
    let isOver = false
    const lists = Promise.all(
      Array.from({ length: 20 }, () =>
        mapInParts(Array.from({ length: 2000 }), () => {
          mappedSince += 1
        }),
      ),
    ).then(() => (isOver = true))
    // Every list has begun.
    mappedSince = 0
    while (!isOver) {
      await setImmediate()
      most = Math.max(most, mappedSince)
      mappedSince = 0
    }
    await lists
    expect(most).toBeLessThanOrEqual(500)
  })
})
