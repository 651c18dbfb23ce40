import { setTimeout as delay } from 'node:timers/promises'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { EventStore, Position, StoredEvent } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import type { Build } from './build.ts'
import { applyInside, Overtaken } from './checkpoint.ts'
import { commitDurably, isLockTimeout, liveGeneration, lockGenerations, showInstead } from './generations.ts'
import type { Generation, ReadModel } from './read-model.ts'

/** Cannot be done at this moment, but may be at the next. */
class NotYet extends Error {}

export type Flipped = {
  /** The generation that readers see now. */
  readonly live: Generation | null
  readonly replaced: boolean
}

/** Whether the build replaces the live generation. */
export type Replaces = (live: Generation | null) => boolean

/** Events that the flip may apply while the live checkpoint is locked. */
export const FEW = 500
/** How long it may read them. */
const READ_MS = 1000
/** How long the flip is retried: longer than the statement timeout of a reader. */
const RETRY_FOR_MS = 60_000
const RETRY_MS = 200
/** The pause after a lock timeout, so that the transactions that queued behind the lock get through. */
const LOCKED_RETRY_MS = 1000

/**
 * Catches up with the live generation and flips. Retries for a minute when a reader, a writer or the log holds it up; no attempt
 * blocks others for more than a few seconds.
 */
export async function flipWhenCaughtUp(
  db: Kysely<Db>,
  store: EventStore,
  build: Build,
  replaces: Replaces,
  { catchUp, signal }: { readonly catchUp: () => Promise<void>; readonly signal: AbortSignal | undefined },
): Promise<Flipped> {
  const until = Date.now() + RETRY_FOR_MS
  for (;;) {
    await catchUp()
    let pause = RETRY_MS
    try {
      return await flip(db, store, build, replaces)
    } catch (error) {
      // An event that must park its stream does so when the build catches up with it.
      const mayPass = error instanceof NotYet || isLockTimeout(error) || build.isOfStream(error)
      if (!mayPass || Date.now() > until) throw error
      if (isLockTimeout(error)) pause = LOCKED_RETRY_MS
    }
    await delay(pause, undefined, { signal })
  }
}

/**
 * Shows readers the build instead of the live generation, in one transaction. Workers of the live generation wait for it, and
 * with them everything that waits for a write to become readable. Throws `NotYet` or a lock timeout when it would take too long.
 */
export async function flip(db: Kysely<Db>, store: EventStore, build: Build, replaces: Replaces): Promise<Flipped> {
  const { model } = build
  return db.transaction().execute(async (trx) => {
    await sql`
      select set_config('lock_timeout', '2s', true), set_config('idle_in_transaction_session_timeout', '3s', true)`.execute(trx)
    await commitDurably(trx)
    await lockGenerations(trx, model.name)
    // The worker of the live generation waits here, and then finds it retired
    // ("does not go live behind a page that is being committed").
    const generations = trx.selectFrom('es.subscriptions').select('generation').where('name', '=', model.name)
    await generations.where('status', '=', 'live').forUpdate().execute()
    const live = await liveGeneration(trx, model.name)
    if (!replaces(live)) return { live, replaced: false }
    const next = build.generation()
    await assertUnchanged(trx, next)
    const goal = live !== null && live.position > next.position ? await withinLog(store, live.position) : next.position
    const position = goal > next.position ? goal : next.position
    if (position > next.position) {
      const events = await withTimeout(model, readTo(model, store, next.position, position))
      await applyInside(trx, model, next, { events, upTo: position })
    }
    await showInstead(trx, model, next.generation)
    return { live: { ...next, position, status: 'live' }, replaced: true }
  })
}

/** A build that was suspended for a minute finds its generation dropped ("does not go live after its generation was dropped"). */
async function assertUnchanged(trx: Transaction<Db>, { name, generation, version, position }: Generation): Promise<void> {
  const rows = await trx
    .selectFrom('es.subscriptions')
    .select('generation')
    .where('name', '=', name)
    .where('generation', '=', generation)
    .where('version', '=', version)
    .where('position', '=', position)
    .where('status', '=', 'building')
    .forUpdate()
    .execute()
  if (rows.length !== 1) throw new Overtaken(`generation ${generation} of ${name} was dropped or changed while it was built`)
}

/** A checkpoint, or the end of the log where that is before it: an older log was restored, and what the checkpoint stood for is lost. */
export async function withinLog(store: Pick<EventStore, 'head'>, checkpoint: Position): Promise<Position> {
  const head = await store.head()
  return checkpoint < head ? checkpoint : head
}

async function readTo(model: ReadModel, store: EventStore, after: Position, goal: Position): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  for (let at = after; at < goal;) {
    const page = await store.readAll(at, FEW)
    if (page.upTo <= at) throw new NotYet(`${model.name} cannot be read up to ${goal} yet; try again`)
    for (const event of page.events) if (event.position <= goal) events.push(event)
    if (events.length > FEW) throw new NotYet(`${model.name} did not catch up with new events; try again`)
    at = page.upTo
  }
  return events
}

async function withTimeout<T>({ name }: ReadModel, reading: Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = delay(READ_MS, undefined, { signal: done.signal }).then(() => {
    throw new NotYet(`the log is read too slowly for ${name} to go live now; try again`)
  })
  // The loser of the race must not become an unhandled rejection.
  late.catch(() => undefined)
  reading.catch(() => undefined)
  return Promise.race([reading, late]).finally(() => done.abort())
}
