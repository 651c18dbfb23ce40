import { checkAppend } from '../check-append.ts'
import type { Append, AppendResult, EventStore, Page, Position, StoredEvent, Subscription } from '../event-store.ts'
import { retryWhileAway } from '../retry.ts'
import { scanByPages } from '../scan.ts'
import { CLOCKS, type KurrentClocks } from './clocks.ts'
import { readConnection } from './connection-string.ts'
import { isWrongRevision, passes } from './faults.ts'
import { connectKurrent, type KurrentClient, type Recorded } from './kurrent-client.ts'
import { commitOf, isSystem, positionOf, proposedOf, storedOf } from './kurrent-events.ts'
import { startKurrentSubscription } from './kurrent-subscription.ts'

/** Events of a stream per call: streams are short, and one call more costs little. */
const STREAM_PAGE = 1000
const HEAD_PAGE = 50

export type KurrentEventStore = EventStore & {
  /** Asks for any answer. Rejects within two seconds. */
  readonly ping: () => Promise<unknown>
}

/**
 * The log in KurrentDB (EventStoreDB 22.6 and later). `url` is a connection string, `esdb://` or `kurrentdb://`, with credentials
 * and TLS in it. Versions are revisions plus one, positions commit positions plus one. Calls wait 30 s for a server that is away,
 * followers without end.
 * @throws {UnusableConnection}
 */
export const createKurrentEventStore = (url: string, clocks: KurrentClocks = CLOCKS): KurrentEventStore =>
  kurrentEventStore(connectKurrent(readConnection(url, clocks), clocks), clocks)

export function kurrentEventStore(client: KurrentClient, { retryForMs }: KurrentClocks = CLOCKS): KurrentEventStore {
  const subscriptions = new Set<Subscription>()
  let closed = false
  const limits = { name: 'KurrentDB', passes, isClosed: () => closed, forMs: retryForMs }
  const retrying = <T>(attempt: () => Promise<T>): Promise<T> => retryWhileAway(attempt, limits)

  /**
   * An append whose answer was lost is retried with the same ids, which contain the bytes: the server recognises them and reports
   * success again. When the stream has moved on, reading back shows whether events with our ids moved it, with other bytes.
   */
  async function append(request: Append): Promise<AppendResult> {
    checkAppend(request)
    if (closed) throw new Error('the event store is closed')
    const { stream, expected, events } = request
    const proposed = events.map(proposedOf)
    const version = expected + events.length
    try {
      const commit = await retrying(() => client.append(stream, expected === 0 ? null : BigInt(expected - 1), proposed))
      return { kind: 'appended', version, position: positionOf(commit), replayed: false }
    } catch (error) {
      if (!isWrongRevision(error)) throw error
      const recorded = await retrying(() => client.readStream(stream, BigInt(expected), events.length))
      const stored = recorded.map(storedOf)
      const last = stored.at(-1)
      if (last === undefined || stored.length !== events.length || !events.every(({ id }, index) => stored[index]?.id === id))
        return { kind: 'conflict' }
      return { kind: 'appended', version, position: last.position, replayed: true }
    }
  }

  async function readStream(stream: string, after = 0, most = Infinity) {
    const found: StoredEvent[] = []
    for (;;) {
      const from = BigInt(after + found.length)
      const limit = Math.min(STREAM_PAGE, most - found.length)
      const page = await retrying(() => client.readStream(stream, from, limit))
      found.push(...page.map(storedOf))
      if (page.length < limit || found.length >= most) return found
    }
  }

  /** Skips system events: a page may be empty and still advance. */
  async function readAll(after: Position, limit: number): Promise<Page> {
    const events = []
    let upTo = after
    for (;;) {
      const from = commitOf(upTo)
      // Inclusive: the event at the position itself is returned again.
      const page = await retrying(() => client.readForwards(from, limit + 1))
      for (const recorded of page) {
        const position = positionOf(recorded.commit)
        if (position <= upTo || events.length === limit) continue
        upTo = position
        if (!isSystem(recorded)) events.push(storedOf(recorded))
      }
      if (events.length === limit || page.length <= limit) return { events, upTo }
    }
  }

  async function head(): Promise<Position> {
    for (let from: bigint | null = null; ;) {
      const start: bigint | null = from
      const page: readonly Recorded[] = await retrying(() => client.readBackwards(start, HEAD_PAGE))
      const newest = page.find((recorded) => !isSystem(recorded))
      if (newest !== undefined) return positionOf(newest.commit)
      const oldest = page.at(-1)
      if (oldest === undefined || page.length < HEAD_PAGE || oldest.commit === from) return 0n
      from = oldest.commit
    }
  }

  return {
    append,
    readStream,
    readAll,
    scan: (after) => scanByPages(readAll, after),
    head,
    subscribe: (options) => {
      const started = startKurrentSubscription(client, options)
      const subscription = {
        stop: async () => {
          subscriptions.delete(subscription)
          await started.stop()
        },
      }
      subscriptions.add(subscription)
      return subscription
    },
    ping: () => client.ping(),
    close: async () => {
      if (closed) return
      closed = true
      await Promise.all([...subscriptions].map((subscription) => subscription.stop()))
      await client.dispose()
    },
  }
}
