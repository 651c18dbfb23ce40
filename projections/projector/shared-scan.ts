import type { EventStore, Page } from '#eventstore/event-store'

type Reader = { at: number }

export type SharedScan = {
  /** A reader of the log from its beginning. It must scan or leave: the others do not go far ahead of it. */
  readonly join: () => { readonly store: EventStore; readonly leave: () => void }
}

/** Pages that the first reader may be ahead of the last one: they are in memory until all have read them. */
const LEAD = 40

/**
 * Lets builds that begin together read the log once: reading takes a large part of the time of most. The first scan of each reader
 * from the beginning is shared, others are its own.
 */
export function shareScan(store: EventStore, lead = LEAD): SharedScan {
  const readers = new Set<Reader>()
  let source: AsyncIterator<Page> | null = null
  /** Pages that some reader has not read, and the number of the first of them. */
  let pages: readonly Page[] = []
  let first = 0
  let isOver = false
  let failure: { readonly error: unknown } | null = null
  let pulling: Promise<void> | null = null
  let waiting: (() => void)[] = []

  function moved(): void {
    const last = Math.min(...[...readers].map(({ at }) => at))
    const read = Math.min(pages.length, last - first)
    pages = pages.slice(read)
    first += read
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }

  async function pull(): Promise<void> {
    source ??= store.scan(0n)[Symbol.asyncIterator]()
    try {
      const { done, value } = await source.next()
      if (done === true) isOver = true
      else pages = [...pages, value]
    } catch (error) {
      failure = { error }
    }
  }

  async function next(reader: Reader): Promise<Page | null> {
    for (;;) {
      const page = pages[reader.at - first]
      if (page !== undefined) {
        reader.at += 1
        moved()
        return page
      }
      if (failure !== null) throw failure.error
      if (isOver) return null
      const last = Math.min(...[...readers].map(({ at }) => at))
      if (reader.at - last >= lead) await new Promise<void>((resolve) => waiting.push(resolve))
      else await (pulling ??= pull().finally(() => (pulling = null)))
    }
  }

  return {
    join() {
      const reader: Reader = { at: 0 }
      readers.add(reader)
      const leave = () => {
        if (!readers.delete(reader)) return
        if (readers.size > 0) moved()
        else void source?.return?.()
      }
      async function* scan(after: bigint): AsyncGenerator<Page> {
        if (after !== 0n || !readers.has(reader)) return yield* store.scan(after)
        try {
          for (let page = await next(reader); page !== null; page = await next(reader)) yield page
        } finally {
          leave()
        }
      }
      return { store: { ...store, scan }, leave }
    },
  }
}

/** Does the work for each read model at the same time, with a store whose first scan is shared by all. */
export async function together<M, T>(
  store: EventStore,
  models: readonly M[],
  work: (model: M, store: EventStore) => Promise<T>,
): Promise<readonly T[]> {
  const shared = shareScan(store)
  const readers = models.map((model) => ({ model, ...shared.join() }))
  return Promise.all(readers.map(async ({ model, store: log, leave }) => work(model, log).finally(leave)))
}
