import type { Kysely } from 'kysely'
import type { EventStore, Page, Subscription } from '#eventstore/event-store'
import { NO_TRACES, type Tracer } from '#eventstore/tracer'
import type { Db } from '#migrations/db'
import { batches } from './batches.ts'
import { applyPage, noteFailure, Overtaken, park } from './checkpoint.ts'
import { isOfEvent, PARK_AFTER } from './event-fault.ts'
import { liveGeneration } from './generations.ts'
import type { Checkpoint, Generation, Memory, ReadModel } from './read-model.ts'
import { tracedPage } from './traced-page.ts'

export type RunnerDeps = {
  readonly db: Kysely<Db>
  readonly store: EventStore
  readonly model: ReadModel
  /** Called with every new position. */
  readonly moved: (at: Checkpoint) => void
  readonly onError: (model: string, error: unknown) => void
  /** Pauses before a failed event is retried, milliseconds; the last one repeats. */
  readonly retryMs: readonly number[]
  /** Awaited before each page; tests delay read models with it. */
  readonly holdBack?: HoldBack | undefined
  /** Pages are spans of the traces of their events. */
  readonly tracer?: Tracer
}

export type HoldBack = (model: string) => Promise<void>

export type Runner = { readonly stop: () => Promise<void> }

/** Events per transaction while catching up. */
const BATCH = 2000
const STAND_BY_MS = 1000

/**
 * Keeps a read model up with the log until stopped:
 * 1. read the checkpoint;
 * 2. after a failure, apply one page event by event, to find the event that fails and park its stream;
 * 3. catch up with the log in large batches;
 * 4. follow the log. Any failure goes back to 1 after a pause.
 */
export function startRunner({ db, store, model, moved, onError, retryMs, holdBack, tracer = NO_TRACES }: RunnerDeps): Runner {
  let stopped = false
  let wake: () => void = () => {}
  /** The last event that failed because of its content, and how often. */
  let failing = { position: -1n, times: 0 }
  const stopping = new Promise<void>((resolve) => (wake = resolve))

  async function run(): Promise<void> {
    let failures = 0
    while (!stopped) {
      try {
        const live = await ownGeneration()
        if (live === null) {
          await sleep(STAND_BY_MS)
          continue
        }
        const worker = startWorker(live)
        moved(live)
        if (failures > 0 && (await oneByOne(worker)) === 'parked') {
          failures = 1
          continue
        }
        failures = 0
        await catchUp(worker)
        await follow(worker)
      } catch (error) {
        if (error instanceof Overtaken) continue
        onError(model.name, error)
        await sleep(retryMs[Math.min(failures, retryMs.length - 1)] ?? 1000)
        failures += 1
      }
    }
  }

  /** Null while the live generation has another version: this build must not write its rows. */
  async function ownGeneration(): Promise<Generation | null> {
    const live = await liveGeneration(db, model.name)
    return live?.version === model.version ? live : null
  }

  function startWorker(start: Checkpoint) {
    let at = start
    // Valid only as long as every commit succeeds; a failure starts a new worker with an empty one.
    const memory: Memory = new Map()
    return {
      at: () => at,
      apply: async (page: Page) => {
        if (holdBack !== undefined) await Promise.race([holdBack(model.name), stopping])
        await tracedPage(tracer, model, page, () => applyPage(db, model, at, page, memory))
        at = { ...at, position: page.upTo }
        moved(at)
      },
    }
  }
  type Worker = ReturnType<typeof startWorker>

  async function catchUp(worker: Worker): Promise<void> {
    for await (const batch of batches(store.scan(worker.at().position), BATCH)) {
      if (stopped) return
      await worker.apply(batch)
    }
  }

  async function follow(worker: Worker): Promise<void> {
    if (stopped) return
    let subscription: Subscription | undefined
    const broken = new Promise<never>((_, reject) => {
      subscription = store.subscribe({ after: worker.at().position, onPage: worker.apply, onError: reject })
    })
    try {
      await Promise.race([stopping, broken])
    } finally {
      await subscription?.stop()
    }
  }

  async function oneByOne(worker: Worker): Promise<'parked' | 'applied'> {
    const page = await store.readAll(worker.at().position, 500)
    for (const event of page.events) {
      if (stopped) break
      try {
        await worker.apply({ events: [event], upTo: event.position })
      } catch (error) {
        if (error instanceof Overtaken) throw error
        const times = isOfEvent(error) ? failed(event.position) : 0
        if (model.onFailure === 'park' && times >= PARK_AFTER) {
          await park(db, worker.at(), event, times, error)
          onError(model.name, error)
          return 'parked'
        }
        await noteFailure(db, worker.at(), event.position, error).catch(() => undefined)
        throw error
      }
    }
    return 'applied'
  }

  function failed(position: bigint): number {
    failing = { position, times: failing.position === position ? failing.times + 1 : 1 }
    return failing.times
  }

  function sleep(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const pause = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)))
    return Promise.race([pause, stopping]).finally(() => clearTimeout(timer))
  }

  const running = run()
  return {
    stop: async () => {
      stopped = true
      wake()
      await running
    },
  }
}
