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
import { DEADLINE_MS, within } from './deadline.ts'

/**
 * The six calls that the adapter needs of a KurrentDB client; they hide the client library. Reads for decisions go to the leader
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
/** In windows of 32 scanned events: with a selective filter, a reconnect would scan many events again. */
const CHECKPOINT_EVERY = 1

/**
 * Binds the seam to @eventstore/db-client. `url` is its connection string; TLS and credentials are part of it.
 * Throws for a connection string that cannot be used, before anything is connected; over TLS that is one without credentials as
 * well.
 */
export function connectKurrent(url: string): KurrentClient {
  if (wantsCredentials(url)) throw new Error('KurrentDB over TLS requires credentials')
  const connection = url.replace(/^kurrentdb(\+discover)?:/, 'esdb$1:')
  const client = EventStoreDBClient.connectionString(connection)
  catchReconnectErrors(client)
  const credentials = credentialsOf(connection)

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
            deadline: DEADLINE_MS,
          },
        ),
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
          deadline: DEADLINE_MS,
        })
        return await collected(events)
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
          deadline: DEADLINE_MS,
        }),
      ),
    readBackwards: (from, limit) =>
      collected(
        client.readAll({
          fromPosition: from === null ? END : at(from),
          maxCount: limit,
          direction: BACKWARDS,
          requiresLeader: true,
          deadline: DEADLINE_MS,
        }),
      ),
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

/**
 * A broken call makes the client reconnect in the background; when no node of the cluster answers, the unhandled rejection would
 * end the process ("a failed call does not end the process while no node of the cluster responds").
 */
function catchReconnectErrors(client: EventStoreDBClient): void {
  const own = client as unknown as { handleError: (...broken: readonly unknown[]) => Promise<void> }
  const { handleError } = own
  own.handleError = (...broken) => handleError(...broken).catch(() => undefined)
}

const at = (commit: bigint): ClientPosition => ({ commit, prepare: commit })

const CREDENTIALS = /^[^:]+:\/\/([^:@/]+):([^@/]*)@/

/** Whether the connection needs credentials and has none. TLS is on unless it is turned off. */
export const wantsCredentials = (url: string): boolean => !CREDENTIALS.test(url) && !/[?&]tls=false(&|$)/i.test(url)

function credentialsOf(connection: string): Credentials {
  const found = CREDENTIALS.exec(connection)
  return found === null
    ? NO_CREDENTIALS
    : { username: decodeURIComponent(found[1] ?? ''), password: decodeURIComponent(found[2] ?? '') }
}

async function collected(
  events: AsyncIterable<{ event?: RecordedEvent | AllStreamRecordedEvent }>,
): Promise<readonly Recorded[]> {
  const read = async () => {
    const found: Recorded[] = []
    for await (const { event } of events) {
      const recorded = recordedOf(event)
      if (recorded !== null) found.push(recorded)
    }
    return found
  }
  return within(read())
}

function recordedOf(event: RecordedEvent | AllStreamRecordedEvent | undefined): Recorded | null {
  if (event === undefined) return null
  const { streamId: stream, revision, id, type, data, metadata } = event
  if (!('position' in event) || event.position === undefined) throw new Error('KurrentDB returned an event without a position')
  return { stream, revision, commit: event.position.commit, id, type, data, metadata }
}
