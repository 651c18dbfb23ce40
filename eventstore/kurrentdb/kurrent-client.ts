import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  excludeSystemEvents,
  FORWARDS,
  jsonEvent,
  NO_STREAM,
  START,
  StreamNotFoundError,
  streamNameFilter,
  type AllStreamRecordedEvent,
  type Credentials,
  type Filter,
  type Position as ClientPosition,
  type RecordedEvent,
} from '@eventstore/db-client'
import type { Readable } from 'node:stream'
import type { KurrentClocks } from './clocks.ts'
import type { Connection } from './connection-string.ts'
import { within } from './deadline.ts'
import { codeOf, STATUS } from './faults.ts'
import { reachHostsByAddress } from './hosts-by-address.ts'

/**
 * The seven calls that the adapter needs of a KurrentDB client; they hide the client library. Reads for decisions go to the leader
 * of the cluster: followers may lack acknowledged events.
 */
export type KurrentClient = {
  /**
   * `revision` null: the stream must not exist. Returns the commit position of the last event; throws an error for which
   * `isWrongRevision` is true.
   */
  readonly append: (stream: string, revision: bigint | null, events: readonly Proposed[]) => Promise<bigint>
  /** Oldest first, from the leader; empty for an unknown stream. */
  readonly readStream: (stream: string, from: bigint, limit: number) => Promise<readonly Recorded[]>
  /** From a commit position, inclusive; null: from the beginning. System events are among them. */
  readonly readForwards: (from: bigint | null, limit: number) => Promise<readonly Recorded[]>
  /** Newest first, from the leader, from a commit position, inclusive; null: from the end. */
  readonly readBackwards: (from: bigint | null, limit: number) => Promise<readonly Recorded[]>
  /**
   * Everything after a commit position, exclusive, filtered by the server: no system events, and only streams with these
   * prefixes.
   */
  readonly subscribe: (options: SubscribeToAll) => ClientSubscription
  /** Reads one event of the log, with a deadline shorter than that of the other calls. */
  readonly ping: () => Promise<unknown>
  readonly dispose: () => Promise<void>
}

export type Proposed = { readonly id: string; readonly type: string; readonly data: unknown; readonly metadata: object }
export type Recorded = {
  readonly stream: string
  readonly revision: bigint
  readonly commit: bigint
  readonly id: string
  readonly type: string
  readonly data: unknown
  readonly metadata: unknown
}
export type SubscribeToAll = {
  readonly after: bigint | null
  readonly prefixes: readonly string[]
  readonly buffer: number
  /** The server has scanned everything up to here. */
  readonly onCheckpoint: (commit: bigint) => void
}
/** An object stream of `Recorded`, read by hand so that it is not drained faster than it is processed. */
export type ClientSubscription = {
  readonly events: Readable
  readonly recorded: (item: unknown) => Recorded | null
  readonly stop: () => Promise<void>
}

/** Sent with every append: the client then makes one unary call per append (see `append`). A server without TLS ignores them. */
const NO_CREDENTIALS: Credentials = { username: 'placard', password: 'placard' }
/** For the client to report a missed deadline, milliseconds. */
const PING_GRACE_MS = 50
/** In windows of 32 scanned events: with a selective filter, a reconnect would scan many events again. */
const CHECKPOINT_EVERY = 1

/**
 * Binds the seam to @eventstore/db-client. Throws for a connection string that the client refuses, before anything is connected.
 */
export function connectKurrent({ string, credentials: login }: Connection, clocks: KurrentClocks): KurrentClient {
  reachHostsByAddress()
  const client = withoutWarnings(() => EventStoreDBClient.connectionString(string))
  adapt(client)
  const credentials = login ?? NO_CREDENTIALS
  const deadline = clocks.deadlineMs
  const silentAfter = deadline + clocks.graceMs
  const newest = { fromPosition: END, direction: BACKWARDS, requiresLeader: true } as const

  return {
    append: async (stream, revision, events) => {
      // Without its own credentials a call joins a shared stream of batches, which waits forever on a silent server and, when it
      // breaks, fails the appends of every other client in the process ("an append to a silent server times out ...").
      const { position } = await within(
        client.appendToStream(
          stream,
          events.map((event) => jsonEvent(event as Parameters<typeof jsonEvent>[0])),
          {
            expectedRevision: revision ?? NO_STREAM,
            credentials,
            requiresLeader: true,
            deadline,
          },
        ),
        silentAfter,
      )
      if (position === undefined) throw new Error(`KurrentDB answered an append to ${stream} without a position`)
      return position.commit
    },
    readStream: async (stream, from, limit) => {
      try {
        const events = client.readStream(stream, {
          fromRevision: from,
          maxCount: limit,
          direction: FORWARDS,
          requiresLeader: true,
          deadline,
        })
        return await collected(events, silentAfter)
      } catch (error) {
        if (error instanceof StreamNotFoundError) return []
        throw error
      }
    },
    readForwards: (from, limit) =>
      collected(
        client.readAll({
          fromPosition: from === null ? START : at(from),
          maxCount: limit,
          direction: FORWARDS,
          deadline,
        }),
        silentAfter,
      ),
    readBackwards: (from, limit) =>
      collected(
        client.readAll({ ...newest, ...(from === null ? {} : { fromPosition: at(from) }), maxCount: limit, deadline }),
        silentAfter,
      ),
    ping: () => collected(client.readAll({ ...newest, maxCount: 1, deadline: clocks.pingMs }), clocks.pingMs + PING_GRACE_MS),
    subscribe: ({ after, prefixes, buffer, onCheckpoint }) => {
      const checkpoints = {
        checkpointInterval: CHECKPOINT_EVERY,
        checkpointReached: async (_: unknown, position: ClientPosition) => onCheckpoint(position.commit),
      }
      const filter: Filter =
        prefixes.length === 0 ? excludeSystemEvents(checkpoints) : streamNameFilter({ prefixes: [...prefixes], ...checkpoints })
      const subscription = client.subscribeToAll(
        { fromPosition: after === null ? START : at(after), filter },
        { highWaterMark: buffer },
      )
      return {
        events: subscription,
        recorded: (item) => recordedOf((item as { event?: AllStreamRecordedEvent }).event),
        stop: () => subscription.unsubscribe(),
      }
    },
    dispose: () => client.dispose(),
  }
}

/** The client warns of short intervals, and its warnings may repeat the connection string with the password. */
function withoutWarnings<T>(work: () => T): T {
  const { warn } = console
  console.warn = () => {}
  try {
    return work()
  } finally {
    console.warn = warn
  }
}

/** Reaction of the client to a failed call; it closes the connection and asks the cluster for the leader again. */
type Reconnecting = {
  handleError: (...broken: readonly unknown[]) => Promise<void>
  shouldReconnect: (error: Error) => readonly [reconnect: boolean, leader?: unknown]
  callArguments: (options: { readonly deadline?: number }, ofCall?: { readonly deadline: number }) => unknown
}

/**
 * Changes three of the client's rules:
 * 1. A call that was not answered in time reconnects, too: the client would go on to ask a frozen node, also after the others have
 *    elected a leader ("a leader that freezes is left as soon as another one is elected").
 * 2. When no node of the cluster answers, its rejection in the background must not end the process ("a failed call does not end the
 *    process while no node of the cluster responds").
 * 3. Reads keep the deadline that they are given: the client drops it ("reads alone leave a leader that froze").
 */
function adapt(client: EventStoreDBClient): void {
  const own = client as unknown as Reconnecting
  const { callArguments, handleError, shouldReconnect } = own
  own.callArguments = (options, ofCall) => callArguments(options, options.deadline === undefined ? ofCall : undefined)
  own.shouldReconnect = (error) => {
    const [reconnect, leader] = shouldReconnect(error)
    return [reconnect || codeOf(error) === STATUS.DEADLINE_EXCEEDED, leader]
  }
  own.handleError = (...broken) => handleError(...broken).catch(() => undefined)
}

const at = (commit: bigint): ClientPosition => ({ commit, prepare: commit })

async function collected(
  events: AsyncIterable<{ event?: RecordedEvent | AllStreamRecordedEvent }>,
  ms: number,
): Promise<readonly Recorded[]> {
  const read = async () => {
    const found: Recorded[] = []
    for await (const { event } of events) {
      const recorded = recordedOf(event)
      if (recorded !== null) found.push(recorded)
    }
    return found
  }
  return within(read(), ms)
}

function recordedOf(event: RecordedEvent | AllStreamRecordedEvent | undefined): Recorded | null {
  if (event === undefined) return null
  const { streamId: stream, revision, id, type, data, metadata } = event
  if (!('position' in event) || event.position === undefined) throw new Error('KurrentDB returned an event without a position')
  return { stream, revision, commit: event.position.commit, id, type, data, metadata }
}
