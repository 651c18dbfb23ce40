import type { Position, StoredEvent } from './event-store.ts'
import type { Signal } from './signal.ts'
import type { ReadPage } from './subscription.ts'

type Read = (after: Position, limit: number) => Promise<ReadPage>

/** What is kept for those who are a few pages behind the first, characters of payload. */
const KEPT_CHARACTERS = 4_000_000

/**
 * Readers of one process that follow the log at about the same place, served with one read: a page that is certain stays certain, so
 * whoever asks for what follows the same position may have it too. A read under way is shared only as long as nothing was announced
 * since it began, for it may have looked before what was announced was there. The events are the same objects for everybody, who
 * can remember by them what was decoded.
 */
export function sharePages(read: Read, wake: Signal, keptCharacters = KEPT_CHARACTERS): Read {
  /** `seen`: what had been announced when it was read; `full`: its reader wanted no more. */
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

  /** Pages that lie one behind the other become one, up to the limit. */
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
