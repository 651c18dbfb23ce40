import { expect, it, onTestFinished, vi } from 'vitest'
import { Away } from './away.ts'
import { retryWhileAway } from './retry.ts'

it('a call that was given up is not sent again after the pause that it was in', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let sent = 0
  const attempt = async () => {
    sent += 1
    throw new Error('no connection')
  }
  // Sent at about 0, 10, 35 and 85 ms, where the next pause lasts 100 ms.
  const options = { name: 'the log', passes: () => true, isClosed: () => false, forMs: 120 }
  const given = expect(retryWhileAway(attempt, options)).rejects.toThrow(Away)
  await vi.advanceTimersByTimeAsync(120)
  await given
  const before = sent
  await vi.advanceTimersByTimeAsync(500)
  expect([before > 1, sent]).toEqual([true, before])
})
