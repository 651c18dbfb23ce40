import type { EventStore, Page, Position, StoredEvent } from '../../eventstore/event-store.ts'

const PAGE = 1000

/** What is certain in the log by now, page by page: a scan ends early where a writer stays, before the hole that it may still fill. */
export async function* certain(store: EventStore, after: Position): AsyncGenerator<Page> {
  let at = after
  for await (const page of store.scan(after)) {
    at = page.upTo
    yield page
  }
  for (;;) {
    const page = await store.readAll(at, PAGE)
    if (page.upTo <= at) return
    at = page.upTo
    yield page
  }
}

/** The pages of a scan up to `goal`, in batches of so many events; each is to be read to its end before the next. */
export async function* batches(
  scan: AsyncIterable<Page>,
  goal: Position,
  size: number,
  taken: (page: Page) => void,
): AsyncGenerator<AsyncIterable<Page>> {
  const source = scan[Symbol.asyncIterator]()
  let ended = false

  async function page(): Promise<Page | null> {
    const events: StoredEvent[] = []
    let upTo: Position | null = null
    while (!ended && events.length < PAGE) {
      const { value, done } = await source.next()
      if (done === true) {
        ended = true
        break
      }
      const found: Page = value
      ended = found.upTo >= goal
      for (const event of found.events) if (event.position <= goal) events.push(event)
      upTo = ended ? goal : found.upTo
    }
    return upTo === null ? null : { events, upTo }
  }
  async function* batch(): AsyncGenerator<Page> {
    for (let count = 0; count < size;) {
      const next = await page()
      if (next === null) return
      count += next.events.length
      yield next
      taken(next)
    }
  }
  try {
    while (!ended) yield batch()
  } finally {
    await source.return?.()
  }
}
