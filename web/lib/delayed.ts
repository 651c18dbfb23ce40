/** Delayed work that can be cancelled until it starts, by key. Adding a key again replaces its work. */
export function createDelayed(milliseconds: number) {
  const waiting = new Map<string, { readonly timer: ReturnType<typeof setTimeout>; readonly work: () => Promise<void> }>()
  const start = async (key: string): Promise<void> => {
    const found = waiting.get(key)
    clearTimeout(found?.timer)
    waiting.delete(key)
    await found?.work()
  }
  const cancel = (key: string): boolean => {
    clearTimeout(waiting.get(key)?.timer)
    return waiting.delete(key)
  }
  return {
    add: (key: string, work: () => Promise<void>) => {
      cancel(key)
      waiting.set(key, { work, timer: setTimeout(() => void start(key), milliseconds) })
    },
    /** Returns false when the work has already started. */
    cancel,
    /** Starts all pending work immediately, and waits for its end. */
    flush: async (): Promise<void> => {
      await Promise.all([...waiting.keys()].map(start))
    },
    /** The newest pending key. */
    newest: (): string | undefined => [...waiting.keys()].at(-1),
  }
}
