/** Delayed work that can be cancelled until it starts, by key. */
export function createDelayed(milliseconds: number) {
  const waiting = new Map<string, { readonly timer: ReturnType<typeof setTimeout>; readonly work: () => void }>()
  const start = (key: string) => {
    const found = waiting.get(key)
    clearTimeout(found?.timer)
    waiting.delete(key)
    found?.work()
  }
  return {
    add: (key: string, work: () => void) => {
      waiting.set(key, { work, timer: setTimeout(() => start(key), milliseconds) })
    },
    /** Returns false when the work has already started. */
    cancel: (key: string): boolean => {
      clearTimeout(waiting.get(key)?.timer)
      return waiting.delete(key)
    },
    /** Starts all pending work immediately. */
    flush: () => [...waiting.keys()].forEach(start),
    /** The newest pending key. */
    newest: (): string | undefined => [...waiting.keys()].at(-1),
  }
}
