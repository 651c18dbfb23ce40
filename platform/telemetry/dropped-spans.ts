/** Counts spans that no collector got, over the threads of a process. */
export type DroppedSpans = {
  readonly add: (spans: number) => void
  readonly count: () => number
  /** Memory with which another thread counts. */
  readonly shared: SharedArrayBuffer
}

export function createDroppedSpans(shared = new SharedArrayBuffer(4)): DroppedSpans {
  const counted = new Uint32Array(shared)
  return { shared, add: (spans) => void Atomics.add(counted, 0, spans), count: () => Atomics.load(counted, 0) }
}
