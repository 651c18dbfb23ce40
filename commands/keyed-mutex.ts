/** Runs work on one key at a time, in the order in which it was asked for; other keys do not wait for it. What one work fails with is told to whoever asked for it alone. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createTurns(): Turns {
  const newest = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = newest.get(key)
    const mine = before === undefined ? work() : before.then(work)
    const over = mine.catch(() => undefined)
    newest.set(key, over)
    try {
      return await mine
    } finally {
      if (newest.get(key) === over) newest.delete(key)
    }
  }
}
