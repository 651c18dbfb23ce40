import { setTimeout as delay } from 'node:timers/promises'

/** Does `beat` now and then for as long as the work takes. One that fails is made good by the next. */
export async function meanwhile<T>(everyMs: number, beat: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
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
