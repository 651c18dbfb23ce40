/** Runs work one at a time per key, in order of arrival. An error rejects for its own caller only. */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createKeyedMutex(): KeyedMutex {
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
