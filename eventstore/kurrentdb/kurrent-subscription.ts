import type { Position, StoredEvent, SubscribeOptions, Subscription } from '../event-store.ts'
import { pauseAfter } from '../retry.ts'
import { createSignal } from '../signal.ts'
import { passes } from './faults.ts'
import type { ClientSubscription, KurrentClient } from './kurrent-client.ts'
import { commitOf, isSystem, positionOf, storedOf } from './kurrent-events.ts'

const BATCH = 500
/** Events that the client buffers: fewer stall on the network. */
const BUFFER = 500
/** Poll interval, in case a signal is lost. */
const IDLE_MS = 5000

/**
 * Follows the log from a position that the client keeps. After a lost connection it continues after the last processed page: no
 * event is skipped or delivered twice.
 */
export function startKurrentSubscription(client: KurrentClient, options: SubscribeOptions): Subscription {
  const { onPage, onError, batchSize = BATCH, streams = [] } = options
  let stopped = false
  const changed = createSignal()
  let after: Position = options.after
  let release: () => void = () => {}
  const stopping = new Promise<void>((resolve) => {
    release = resolve
  })

  async function run(): Promise<void> {
    let failures = 0
    while (!stopped) {
      const before = after
      try {
        await followOnce()
      } catch (error) {
        if (!passes(error)) throw error
      }
      failures = after > before ? 0 : failures + 1
      if (!stopped) await changed.wait(changed.count(), pauseAfter(failures))
    }
  }

  /** Runs until the connection breaks or the subscription is stopped. */
  async function followOnce(): Promise<void> {
    // A subscription has no deadline: on a connection that a frozen server accepted and never answers it would never end.
    await Promise.race([client.ping(), stopping])
    if (stopped) return
    let checkpoint: Position = 0n
    const live = client.subscribe({
      after: commitOf(after),
      prefixes: streams,
      buffer: Math.max(batchSize, BUFFER),
      onCheckpoint: (commit) => {
        checkpoint = positionOf(commit)
        changed.raise()
      },
    })
    let broken: Error | null = null
    live.events.on('error', (error) => {
      broken = error
      changed.raise()
    })
    for (const name of ['readable', 'end', 'close']) live.events.on(name, changed.raise)
    try {
      while (!stopped) {
        const seen = changed.count()
        const reached = checkpoint
        const events = takeUpTo(live, batchSize)
        const last = events.at(-1)?.position
        if (last !== undefined) await deliver(events, last)
        // Read before the buffer was found empty: whatever it covers has been delivered.
        else if (reached > after) await deliver([], reached)
        else if (broken !== null) throw broken
        else if (live.events.readableEnded || live.events.destroyed) return
        else await changed.wait(seen, IDLE_MS)
      }
    } finally {
      // Not waited for: it ends no sooner than the client has found a server
      // ("a store closes, and a follower stops, while no node of a cluster responds").
      live.stop().catch(() => undefined)
      live.events.destroy()
    }
  }

  async function deliver(events: readonly StoredEvent[], upTo: Position): Promise<void> {
    if (stopped) return
    await onPage({ events, upTo })
    after = upTo
  }

  const ended = run().catch((error: unknown) => {
    if (!stopped) onError(error)
    stopped = true
  })
  return {
    stop: async () => {
      stopped = true
      release()
      changed.raise()
      await ended
    },
  }
}

/** Stored events, up to a page. Other streams with similar names belong to the server. */
function takeUpTo({ events, recorded }: ClientSubscription, limit: number): readonly StoredEvent[] {
  const taken: StoredEvent[] = []
  while (taken.length < limit) {
    const item: unknown = events.read()
    if (item === null) break
    const event = recorded(item)
    if (event !== null && !isSystem(event)) taken.push(storedOf(event))
  }
  return taken
}
