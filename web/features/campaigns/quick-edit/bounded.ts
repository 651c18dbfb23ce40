/** Writes of an account that the server works on at once. */
export const WRITES_AT_ONCE = 3

/** Runs an async function for every item, at most `most` at once. Rejects with the first error, so `run` handles its own. */
export async function forEachBounded<T>(items: readonly T[], most: number, run: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const worker = async () => {
    for (const item of waiting) await run(item)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
}

/** Returns a function that delays calls while `most` of them are running. */
export function createLimit(most: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      // The place passes on to the next call.
      if (next === undefined) running--
      else next()
    }
  }
}
