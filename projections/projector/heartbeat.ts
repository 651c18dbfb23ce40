import { setTimeout as delay } from 'node:timers/promises'

/** Runs `beat` periodically while `work` runs. A failed beat is ignored: the next one makes up for it. */
export async function withHeartbeat<T>(everyMs: number, beat: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const over = new AbortController()
  const { signal } = over
  const beating = (async () => {
    while (!signal.aborted) {
      await delay(everyMs, undefined, { signal }).catch(() => undefined)
      if (!signal.aborted) await beat().catch(() => undefined)
    }
  })()
  try {
    return await work()
  } finally {
    over.abort()
    await beating
  }
}
