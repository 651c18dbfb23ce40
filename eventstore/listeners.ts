import type { Following } from './steady-following.ts'

/** Listeners of something that is followed only while there are any: from the first on, until the last has left. */
export function createListeners<Listener>(follow: (listeners: ReadonlySet<Listener>) => Promise<Following>) {
  const listeners = new Set<Listener>()
  let following: Promise<Following> | null = null

  async function quiet(): Promise<void> {
    const ending = following
    following = null
    // A failed start has already failed for its listeners.
    await (await ending?.catch(() => null))?.stop()
  }

  /** Resolves once it is followed, with a function that ends the listening. */
  async function listen(listener: Listener): Promise<() => void> {
    listeners.add(listener)
    const own = (following ??= follow(listeners))
    try {
      await own
    } catch (error) {
      if (following === own) following = null
      listeners.delete(listener)
      throw error
    }
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) void quiet()
    }
  }

  async function stop(): Promise<void> {
    listeners.clear()
    await quiet()
  }

  return { listen, stop }
}
