import type { Page, Position, StoredEvent } from '#eventstore/event-store'

/** Joins pages into batches of at least `size` events, up to `goal`; only the last batch may be smaller. */
export async function* batches(pages: AsyncIterable<Page>, size: number, goal?: Position): AsyncGenerator<Page> {
  let events: StoredEvent[] = []
  let upTo: Position | null = null
  for await (const page of pages) {
    const isLast = goal !== undefined && page.upTo >= goal
    for (const event of page.events) if (goal === undefined || event.position <= goal) events.push(event)
    upTo = isLast ? goal : page.upTo
    if (isLast) break
    if (events.length < size) continue
    yield { events, upTo }
    events = []
    upTo = null
  }
  if (upTo !== null) yield { events, upTo }
}
