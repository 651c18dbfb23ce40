import { randomUUID } from 'node:crypto'
import type { EventStore, NewEvent, StoredEvent } from '#eventstore/event-store'

/** An arbitrary event whose data and metadata contain its id, which reveals events that were mixed up. */
export function someEvent(over: Partial<NewEvent> = {}): NewEvent {
  const { id = randomUUID() } = over
  return { id, type: 'Noted', schemaVersion: 1, data: `{"note":"${id}"}`, metadata: `{"of":"${id}"}`, ...over }
}

export const someEvents = (count: number): NewEvent[] => Array.from({ length: count }, () => someEvent())

export const someStream = (category = 'note'): string => `${category}-${randomUUID()}`

/** The whole log after `after`, read in pages; waits for open transactions. */
export async function readToHead(store: EventStore, after = 0n, limit = 100): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  const head = await store.head()
  for (let position = after; position < head;) {
    const page = await store.readAll(position, limit)
    events.push(...page.events)
    position = page.upTo
  }
  return events
}

/** Polls until `check` returns true; throws after `ms`. */
export async function eventually(check: () => boolean | Promise<boolean>, ms = 120_000): Promise<void> {
  const deadline = Date.now() + ms
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`not within ${ms} ms`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
