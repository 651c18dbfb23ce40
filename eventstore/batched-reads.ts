export type BatchedReads<Key, Value> = {
  /** Returns one value per key, in order. */
  readonly load: (keys: readonly Key[]) => Promise<readonly Value[]>
  /** Concurrent loads; reads that arrive during them share the next one. */
  readonly lanes: number
  /** Keys per load. */
  readonly most: number
}

/**
 * Merges concurrent reads of single keys into one load: under load a round trip and a plan cost more than the rows. A load starts
 * after its reads were requested, so it sees every acknowledged write. When a load fails, its reads are retried one by one: an
 * invalid key fails alone ("an invalid stream name fails its own read only").
 */
export function createBatchedReads<Key, Value>({ load, lanes, most }: BatchedReads<Key, Value>): (key: Key) => Promise<Value> {
  type Waiting = { readonly key: Key; readonly resolve: (value: Value) => void; readonly reject: (error: unknown) => void }
  let queue: Waiting[] = []
  let busy = 0

  async function runLane(): Promise<void> {
    // One microtask, so that reads started together share a load.
    await Promise.resolve()
    while (queue.length > 0) {
      const batch = queue.slice(0, most)
      queue = queue.slice(most)
      await answer(batch)
    }
    busy -= 1
  }

  async function answer(batch: readonly Waiting[]): Promise<void> {
    try {
      const values = await load(batch.map(({ key }) => key))
      for (const [index, { resolve, reject }] of batch.entries())
        if (index < values.length) resolve(values[index] as Value)
        else reject(new Error('a read got no answer'))
    } catch (error) {
      if (batch.length > 1) for (const one of batch) await answer([one])
      else batch[0]?.reject(error)
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      queue.push({ key, resolve, reject })
      if (busy >= lanes) return
      busy += 1
      void runLane()
    })
}
