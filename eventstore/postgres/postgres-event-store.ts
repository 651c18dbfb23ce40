import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'pg'
import { Away } from '../away.ts'
import { checkAppend } from '../check-append.ts'
import type { EventStore, Page, Position } from '../event-store.ts'
import { scanByPages } from '../scan.ts'
import { sharePages } from '../shared-pages.ts'
import { createSignal } from '../signal.ts'
import { createSubscriptions, type ReadPage } from '../subscription.ts'
import { commitBatch } from './commit-batch.ts'
import { blameConnection, isConnectionLoss } from './connection-loss.ts'
import { readHead } from './event-rows.ts'
import { createGroupCommit, LANES } from './group-commit.ts'
import { createHoleEvidence } from './hole-evidence.ts'
import { READ_COMMITTED } from './isolation.ts'
import { readLog } from './read-log.ts'
import { createStreamReads, LAST_VERSION } from './stream-reads.ts'
import { openWakeUpConnection } from './wake-up-connection.ts'

/** Poll interval, in case a wake-up is lost. */
const POLL_MS = 200
/** How long readAll waits for the writer behind a hole before it returns an empty page. */
const CERTAIN_WITHIN_MS = 100
const HOLE_POLL_MS = 5
const APPEND_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 5000
/** The client times out this much later than the server, and then retries with the same event ids. */
const BEHIND_MS = 1000
const CHANNEL = 'es_events'

export type PostgresEventStoreOptions = {
  /** For reading. Not closed by the store. */
  readonly pool: Pool
  /** URL of the same database: appends and wake-ups use connections of their own. */
  readonly url: string
  /** Statement timeout of an append, milliseconds; 10,000 by default. */
  readonly appendTimeoutMs?: number
}

/** The log in the migrated schema `es` of a PostgreSQL primary. Any number of processes may share it. */
export function createPostgresEventStore(options: PostgresEventStoreOptions): EventStore {
  const { pool, url, appendTimeoutMs = APPEND_TIMEOUT_MS } = options
  const wake = createSignal()
  const holes = createHoleEvidence()
  const wakeUps = openWakeUpConnection(url, CHANNEL, wake)
  let closing: Promise<void> | undefined

  // Not the shared pool: a caller that holds its last connection while it awaits an append would wait forever.
  const writers = new Pool({
    connectionString: url,
    max: LANES + 1,
    application_name: 'placard-append',
    options: READ_COMMITTED,
    statement_timeout: appendTimeoutMs,
    // A silent host never closes the connection
    // ("an append whose answer is lost on an open connection is stored once").
    query_timeout: appendTimeoutMs + BEHIND_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_TIMEOUT_MS,
  })
  // An idle connection that breaks is replaced at the next append.
  writers.on('error', () => {})
  // A connection that breaks in use fails its statement; without a listener its event would end the process.
  writers.on('connect', (client) => client.on('error', () => {}))

  const queue = createGroupCommit(async (batch) => {
    const outcomes = await commitBatch(writers, batch)
    if (outcomes.some((outcome) => 'result' in outcome && outcome.result.kind === 'appended')) {
      wake.raise()
      wakeUps.announce()
    }
    return outcomes
  })

  const readStream = createStreamReads(pool)
  const read = (after: Position, limit: number): Promise<ReadPage> => readLog(pool, holes, after, limit).catch(blameConnection)
  // A subscription also waits for a free connection of the pool.
  const passes = (error: unknown): boolean => isConnectionLoss(error) || error instanceof Away
  const subscriptions = createSubscriptions({ read: sharePages(read, wake), wake, pollMs: POLL_MS, passes })

  /**
   * Every writer may keep a hole open for a moment: an empty page would look like the end of the log
   * ("readAll does not mistake a short transaction for the end of the log").
   */
  const readCertain = async (after: Position, limit: number): Promise<Page> => {
    const deadline = Date.now() + CERTAIN_WITHIN_MS
    for (let pause = 0; ; pause = HOLE_POLL_MS) {
      const { events, upTo, waiting } = await read(after, limit)
      // The first read of a hole gathers the proof that it is dead; the second, without a pause, applies it, however long the first took.
      const isFirst = pause === 0
      if (events.length > 0 || !waiting || (!isFirst && Date.now() > deadline)) return { events, upTo }
      if (pause > 0) await delay(pause)
    }
  }

  const close = async (): Promise<void> => {
    await queue.drained()
    await subscriptions.stopAll()
    await Promise.all([writers.end(), wakeUps.close()])
  }

  return {
    append: async (append) => {
      checkAppend(append)
      if (closing !== undefined) throw new Error('the event store is closed')
      return queue.append(append).catch(blameConnection)
    },
    readStream: (stream, after = 0, most = LAST_VERSION) =>
      readStream({ stream, after, until: Math.min(after + most, LAST_VERSION) }).catch(blameConnection),
    readAll: (after, limit) => readCertain(after, limit),
    scan: (after) => scanByPages(readCertain, after),
    head: () => readHead(pool).catch(blameConnection),
    subscribe: subscriptions.start,
    close: () => (closing ??= close()),
  }
}
