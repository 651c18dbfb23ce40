import type { Page, Position } from './event-store.ts'

const PAGE = 1000

/** `scan` over any reader of pages: the next page is fetched while this one is processed. Ends where nothing more is certain. */
export async function* scanByPages(
  read: (after: Position, limit: number) => Promise<Page>,
  after: Position,
): AsyncGenerator<Page> {
  let at = after
  let next = read(at, PAGE)
  for (;;) {
    const page = await next
    if (page.upTo <= at) return
    at = page.upTo
    next = read(at, PAGE)
    // A reader that stops early never awaits this one: its error must not become an unhandled rejection.
    next.catch(() => undefined)
    yield { events: page.events, upTo: page.upTo }
  }
}
