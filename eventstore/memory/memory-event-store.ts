import { checkAppend } from '../check-append.ts'
import type { Append, AppendResult, EventStore, Position, StoredEvent } from '../event-store.ts'
import { createSignal } from '../signal.ts'
import { scanByPages } from '../scan.ts'
import { createSubscriptions, type ReadPage } from '../subscription.ts'

const POLL_MS = 1000

/** A log in process memory: for unit tests, and as the simplest implementation of the port. */
export function createMemoryEventStore(): EventStore {
  const log: StoredEvent[] = []
  const streams = new Map<string, StoredEvent[]>()
  const wake = createSignal()
  let closed = false

  const append = async (request: Append): Promise<AppendResult> => {
    checkAppend(request)
    if (closed) throw new Error('the event store is closed')
    const { stream, expected, events } = request
    const stored = streams.get(stream) ?? []
    const version = expected + events.length
    if (stored.length !== expected) {
      const last = stored[version - 1]
      const replayed = last !== undefined && events.every((event, index) => stored[expected + index]?.id === event.id)
      return replayed ? { kind: 'appended', version, position: last.position, replayed } : { kind: 'conflict' }
    }
    for (const [index, event] of events.entries()) {
      const entry = { ...event, stream, version: expected + index + 1, position: BigInt(log.length) + 1n }
      log.push(entry)
      stored.push(entry)
    }
    streams.set(stream, stored)
    wake.raise()
    return { kind: 'appended', version, position: BigInt(log.length), replayed: false }
  }

  const read = async (after: Position, limit: number): Promise<ReadPage> => {
    const events = log.slice(Number(after), Number(after) + limit)
    return { events, upTo: events.at(-1)?.position ?? after, waiting: false }
  }

  const subscriptions = createSubscriptions({ read, wake, pollMs: POLL_MS, passes: () => false })

  return {
    append,
    readStream: async (stream, after = 0, most = Infinity) => (streams.get(stream) ?? []).slice(after, after + most),
    readAll: async (after, limit) => {
      const { events, upTo } = await read(after, limit)
      return { events, upTo }
    },
    scan: (after) => scanByPages(read, after),
    head: async () => BigInt(log.length),
    subscribe: subscriptions.start,
    close: async () => {
      closed = true
      await subscriptions.stopAll()
    },
  }
}
