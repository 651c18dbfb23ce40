import type { Position, StoredEvent } from './event-store.ts'
import type { Signal } from './signal.ts'
import type { ReadPage } from './subscription.ts'

type Read = (after: Position, limit: number) => Promise<ReadPage>

/** Characters of payload in the cache, for readers a few pages behind the first. */
const KEPT_CHARACTERS = 4_000_000

/**
 * Lets readers of one process that follow the log at about the same position share reads: a certain page stays certain. A read in
 * flight is shared only until the next wake-up, because it may have run before the announced events were visible.
 */
export function sharePages(read: Read, wake: Signal, keptCharacters = KEPT_CHARACTERS): Read {
  /** `seen`: count of wake-ups before the read; `full`: the page reached its limit. */
  const kept = new Map<Position, { readonly page: ReadPage; readonly seen: number; readonly full: boolean }>()
  let characters = 0
  const underWay = new Map<string, Promise<ReadPage>>()

  function keep(after: Position, page: ReadPage, seen: number, full: boolean): void {
    if (page.events.length === 0 || kept.has(after)) return
    kept.set(after, { page, seen, full })
    characters += sizeOf(page)
    for (const [oldest, old] of kept) {
      if (characters <= keptCharacters) return
      kept.delete(oldest)
      characters -= sizeOf(old.page)
    }
  }

  /** Joins consecutive pages up to the limit. */
  function known(after: Position, limit: number): ReadPage | null {
    const first = kept.get(after)
    if (first === undefined || first.page.events.length > limit) return null
    const events: StoredEvent[] = [...first.page.events]
    let last = first
    let next = kept.get(first.page.upTo)
    while (next !== undefined && events.length + next.page.events.length <= limit) {
      events.push(...next.page.events)
      last = next
      next = kept.get(last.page.upTo)
    }
    const { upTo, waiting } = last.page
    return { events, upTo, waiting, more: next !== undefined || last.full || last.seen !== wake.count() }
  }

  return (after, limit) => {
    const page = known(after, limit)
    if (page !== null) return Promise.resolve(page)
    const seen = wake.count()
    const key = `${after} ${limit} ${seen}`
    const reading =
      underWay.get(key) ??
      read(after, limit)
        .then((found) => {
          keep(after, found, seen, found.events.length >= limit)
          return found
        })
        .finally(() => underWay.delete(key))
    underWay.set(key, reading)
    return reading
  }
}

const sizeOf = ({ events }: ReadPage): number =>
  events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0)
