import { setImmediate } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/**
 * Resolves once calls had their turn. Long work waits for it between two parts of some milliseconds; of many such pieces of work one goes on
 * at a time, so that calls never wait for all of them.
 */
export const others = (): Promise<void> => (last = last.then(() => setImmediate()))

/** Items that are mapped in one go. */
const AT_ONCE = 250

/** The items mapped, with turns for calls in between. */
export async function mapInParts<Item, Mapped>(items: readonly Item[], map: (item: Item) => Mapped): Promise<Mapped[]> {
  const mapped: Mapped[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    if (at > 0) await others()
    for (const item of items.slice(at, at + AT_ONCE)) mapped.push(map(item))
  }
  return mapped
}
