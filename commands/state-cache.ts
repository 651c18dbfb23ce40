/** A stream as its newest known event left it. */
export type Loaded<State> = {
  readonly state: State
  readonly version: number
  readonly revision: number
  /** Business time of the newest event; empty while there is none. */
  readonly at: string
  /** Of the newest event. */
  readonly hash: string
  /** Length of all events of the stream: what the state takes in memory is a small multiple of it at most. */
  readonly bytes: number
  /** Every command whose events the stream holds: a repeat must be found without reading it. Grows with the stream, and is shared by the states of it. */
  readonly commands: Set<string>
}

/**
 * States of streams that were written to lately. What is remembered may be old, when another process wrote since: only an append at
 * its version proves that it is not.
 */
export type StateCache = {
  readonly get: <State>(stream: string) => Loaded<State> | undefined
  readonly set: (stream: string, loaded: Loaded<unknown>) => void
  readonly forget: (stream: string) => void
}

/** Remembers states of at most so many bytes of events in all, and forgets those first that were used longest ago. */
export function createStateCache(capacity: number): StateCache {
  // A Map keeps the order in which keys were put in: the first one is the oldest.
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
