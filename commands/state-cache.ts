/** The state of a stream after its newest known event. */
export type Loaded<State> = {
  readonly state: State
  readonly version: number
  /** Version of the snapshot; 0 for none. */
  readonly saved: number
  readonly revision: number
  /** Business time of the newest event; empty while there is none. */
  readonly at: string
  /** Hash of the newest event. */
  readonly hash: string
  /** Length of the snapshot and of all events since, a measure of the state's size in memory. */
  readonly bytes: number
  /** Marks of all commands of the stream, to detect a repeat without reading it. Shared by all states of the stream. */
  readonly commands: Set<string>
}

/**
 * States of recently written streams. An entry may be stale when another process wrote since: only an append at its version
 * proves that it is current.
 */
export type StateCache = {
  readonly get: <State>(stream: string) => Loaded<State> | undefined
  readonly set: (stream: string, loaded: Loaded<unknown>) => void
  readonly forget: (stream: string) => void
}

/** An LRU cache of states with at most `capacity` bytes of events. */
export function createStateCache(capacity: number): StateCache {
  // A Map keeps insertion order: the first key is the least recently used.
  const known = new Map<string, Loaded<unknown>>()
  let total = 0
  const remove = (stream: string): void => {
    total -= known.get(stream)?.bytes ?? 0
    known.delete(stream)
  }
  return {
    get<State>(stream: string) {
      const found = known.get(stream) as Loaded<State> | undefined
      if (found !== undefined) {
        known.delete(stream)
        known.set(stream, found)
      }
      return found
    },
    set(stream, loaded) {
      remove(stream)
      if (loaded.bytes > capacity) return
      known.set(stream, loaded)
      total += loaded.bytes
      for (const oldest of known.keys()) {
        if (total <= capacity) break
        remove(oldest)
      }
    },
    forget: remove,
  }
}
