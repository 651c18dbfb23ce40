import { describe, expect, it } from 'vitest'
import { ReadModelsBehind } from '#projections/catch-up'
import { createSettled } from './settled.ts'

/** Read models that are so many events behind at each attempt, and caught up at zero. */
function waiting(...left: readonly bigint[]) {
  const warnings: string[] = []
  const stopping = new AbortController()
  let attempt = 0
  const settled = createSettled({
    behind: async () => left[attempt] ?? 0n,
    caughtUp: async () => {
      attempt++
      if ((left[attempt] ?? 0n) > 0n) throw new ReadModelsBehind()
    },
    warn: (message) => warnings.push(message),
    signal: stopping.signal,
  })
  return { settled, warnings, stopping, attempts: () => attempt }
}

describe('the demo', () => {
  it('waits for the read models of a long log for as long as they get nearer to its end', async () => {
    const { settled, warnings, attempts } = waiting(1_400_000n, 900_000n, 200_000n, 1n, 0n)
    await settled()
    expect([attempts(), warnings]).toEqual([4, []])
  })

  it('the demo is filled all the same where no process keeps the read models up', async () => {
    const { settled, warnings, attempts } = waiting(900n, 900n, 0n)
    await settled()
    expect([attempts(), warnings.length]).toEqual([1, 1])
  })

  it('ends its wait with the process', async () => {
    const { settled, stopping } = waiting(900n, 800n, 0n)
    stopping.abort()
    await expect(settled()).rejects.toBe(stopping.signal.reason)
  })

  it('fails where the read models cannot be asked', async () => {
    const fails = createSettled({
      behind: async () => 1n,
      caughtUp: () => Promise.reject(new Error('the database is away')),
      warn: () => {},
      signal: new AbortController().signal,
    })
    await expect(fails()).rejects.toThrow('the database is away')
  })
})
