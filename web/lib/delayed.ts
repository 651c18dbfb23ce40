/** Work that can be taken back until its time has come, each under a key. */
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
    /** False when it is too late. */
    cancel: (key: string): boolean => {
      clearTimeout(waiting.get(key)?.timer)
      return waiting.delete(key)
    },
    /** Does at once what is still waiting. */
    flush: () => [...waiting.keys()].forEach(start),
    /** What was added last and still waits. */
    newest: (): string | undefined => [...waiting.keys()].at(-1),
  }
}
