import { checkAppend } from '../check-append.ts'
import type { Append, AppendResult, EventStore, NewEvent, Page, Position, StoredEvent, Subscription } from '../event-store.ts'
import { scanByPages } from '../scan.ts'
import { isWrongRevision, NotShownYet, retrying } from './faults.ts'
import { connectKurrent, type KurrentClient, type Recorded } from './kurrent-client.ts'
import { commitOf, isSystem, positionOf, proposedOf, storedOf } from './kurrent-events.ts'
import { startKurrentSubscription } from './kurrent-subscription.ts'

/** Events of a stream per call: streams are short, and one call more costs little. */
const STREAM_PAGE = 1000
const HEAD_PAGE = 50

/**
 * The log in KurrentDB (EventStoreDB 22.6 and later). `url` is a connection string, `esdb://` or `kurrentdb://`, with credentials
 * and TLS in it. Versions are revisions plus one, positions commit positions plus one.
 */
export const createKurrentEventStore = (url: string): EventStore => kurrentEventStore(connectKurrent(url))

const isSame = (stored: readonly StoredEvent[], sent: readonly NewEvent[]): boolean =>
  sent.every(({ data, metadata, type, schemaVersion }, index) => {
    const there = stored[index]
    return there?.metadata === metadata && there.data === data && there.type === type && there.schemaVersion === schemaVersion
  })

export function kurrentEventStore(client: KurrentClient): EventStore {
  const subscriptions = new Set<Subscription>()
  let closed = false

  /**
   * An append whose answer was lost is retried with the same ids: either the server recognises them, or the stream has moved on,
   * and reading back shows whether these events moved it.
   */
  async function append(request: Append): Promise<AppendResult> {
    checkAppend(request)
    if (closed) throw new Error('the event store is closed')
    const { stream, expected, events } = request
    const proposed = events.map(proposedOf)
    const version = expected + events.length
    try {
      const commit = await retrying(
        () => client.append(stream, expected === 0 ? null : BigInt(expected - 1), proposed),
        () => closed,
      )
      const stored = await readConfirmed(request)
      return { kind: 'appended', version, position: positionOf(commit), replayed: !isSame(stored, events) }
    } catch (error) {
      if (!isWrongRevision(error)) throw error
      const stored = await readBack(request)
      const last = stored.at(-1)
      if (last === undefined || stored.length !== events.length || !events.every(({ id }, index) => stored[index]?.id === id))
        return { kind: 'conflict' }
      return { kind: 'appended', version, position: last.position, replayed: true }
    }
  }

  /** The events stored at the version of the append. */
  const readBack = async ({ stream, expected, events }: Append): Promise<readonly StoredEvent[]> => {
    const recorded = await retrying(
      () => client.readStream(stream, BigInt(expected), events.length),
      () => closed,
    )
    return recorded.map(storedOf)
  }

  /**
   * Also checked after every success: the server reports success when the same ids are stored already, whatever their content,
   * and another process may have decided the same command from another state. All of them must be there, so fewer prove nothing
   * yet ("an append whose events are read back late is not reported as a repeat").
   */
  const readConfirmed = (request: Append): Promise<readonly StoredEvent[]> =>
    retrying(
      async () => {
        const stored = await readBack(request)
        if (stored.length < request.events.length) throw new NotShownYet('KurrentDB does not return confirmed events yet')
        return stored
      },
      () => closed,
    )

  async function readStream(stream: string, after = 0) {
    const found = []
    for (;;) {
      const from = BigInt(after + found.length)
      const page = await retrying(
        () => client.readStream(stream, from, STREAM_PAGE),
        () => closed,
      )
      found.push(...page.map(storedOf))
      if (page.length < STREAM_PAGE) return found
    }
  }

  /** Skips system events: a page may be empty and still advance. */
  async function readAll(after: Position, limit: number): Promise<Page> {
    const events = []
    let upTo = after
    for (;;) {
      const from = commitOf(upTo)
      // Inclusive: the event at the position itself is returned again.
      const page = await retrying(
        () => client.readForwards(from, limit + 1),
        () => closed,
      )
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
      const page: readonly Recorded[] = await retrying(
        () => client.readBackwards(start, HEAD_PAGE),
        () => closed,
      )
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
    close: async () => {
      if (closed) return
      closed = true
      await Promise.all([...subscriptions].map((subscription) => subscription.stop()))
      await client.dispose()
    },
  }
}
