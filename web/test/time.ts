import { onTestFinished, vi } from 'vitest'

/** Lets the event loop turn often enough for answers that are there to be handled and shown. No time has to pass. */
export async function turns(): Promise<void> {
  for (let n = 0; n < 20; n++) await new Promise((resolve) => setTimeout(resolve))
}

/** Until the end of the test, timers run ten times as fast, and stand still while the machine is busy. */
export function fastTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const passing = setInterval(() => vi.advanceTimersByTime(50), 5)
  onTestFinished(() => {
    clearInterval(passing)
    vi.useRealTimers()
  })
}
