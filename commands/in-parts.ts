import { setImmediate } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/**
 * Yields to the event loop, between two parts of some milliseconds of long work. Long work is serialised: one piece at a time goes on, so
 * that calls never wait for all of them.
 */
export const yieldToCalls = (): Promise<void> => (last = last.then(() => setImmediate()))

/** Items that are mapped in one go. */
const AT_ONCE = 250

/** The items mapped, yielding to calls in between. */
export async function mapInParts<Item, Mapped>(items: readonly Item[], map: (item: Item) => Mapped): Promise<Mapped[]> {
  const mapped: Mapped[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    if (at > 0) await yieldToCalls()
    for (const item of items.slice(at, at + AT_ONCE)) mapped.push(map(item))
  }
  return mapped
}
