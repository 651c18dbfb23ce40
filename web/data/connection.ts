import { onlineManager } from '@tanstack/react-query'

/** Pauses between attempts, milliseconds, for a server that is away while the browser has a network. The last one repeats. */
const PAUSES = [2000, 5000, 10_000, 15_000] as const

/** Resolves when the server is worth another attempt: the network is back, or a pause is over. Rejects when called off. */
export async function connection(attempt: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let unsubscribe = () => {}
  try {
    await new Promise<void>((resolve, reject) => {
      signal.throwIfAborted()
      signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal })
      unsubscribe = onlineManager.subscribe((online) => online && resolve())
      timer = setTimeout(resolve, PAUSES[Math.min(attempt, PAUSES.length - 1)])
    })
  } finally {
    over.abort()
    clearTimeout(timer)
    unsubscribe()
  }
}
