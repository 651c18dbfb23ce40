/** A stream as its newest known event left it. */
export type Loaded<State> = {
  readonly state: State
  readonly version: number
  readonly revision: number
  /** Business time of the newest event; empty while there is none. */
  readonly at: string
  /** Of the newest event. */
  readonly hash: string
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

/** Remembers so many streams, and forgets those first that were used longest ago. */
export function createStateCache(capacity: number): StateCache {
  // A Map keeps the order in which keys were put in: the first one is the oldest.
  const known = new Map<string, Loaded<unknown>>()
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
      known.delete(stream)
      known.set(stream, loaded)
      const [oldest] = known.keys()
      if (known.size > capacity && oldest !== undefined) known.delete(oldest)
    },
    forget: (stream) => {
      known.delete(stream)
    },
  }
}
