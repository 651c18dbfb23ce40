import { readMetadata } from '#domain/kit/event-metadata'
import type { Page, Position, StoredEvent } from '#eventstore/event-store'

/**
 * Joins pages into batches of about `size` events, up to `goal`; only the last batch may be much smaller. A batch does not end in
 * the middle of a commit unless the log does: a read model would write the rows of that commit twice.
 */
export async function* batches(pages: AsyncIterable<Page>, size: number, goal?: Position): AsyncGenerator<Page> {
  let events: StoredEvent[] = []
  let upTo: Position | null = null
  for await (const page of pages) {
    const isLast = goal !== undefined && page.upTo >= goal
    for (const event of page.events) if (goal === undefined || event.position <= goal) events.push(event)
    upTo = isLast ? goal : page.upTo
    if (isLast) break
    if (events.length < size) continue
    const begun = begunAtTheEnd(events)
    const whole = events.length - begun
    const last = events[whole - 1]
    if (last === undefined) continue
    yield { events: begun === 0 ? events : events.slice(0, whole), upTo: begun === 0 ? upTo : last.position }
    events = begun === 0 ? [] : events.slice(whole)
    if (begun === 0) upTo = null
  }
  if (upTo !== null) yield { events, upTo }
}

/** Number of events at the end whose commit continues after them. A commit's events follow each other in the log. */
function begunAtTheEnd(events: readonly StoredEvent[]): number {
  const last = events.at(-1)
  if (last === undefined) return 0
  const { index, of } = readMetadata(last.metadata)
  return of === undefined || index + 1 >= of ? 0 : Math.min(index + 1, events.length)
}
