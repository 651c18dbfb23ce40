import type { Kysely } from 'kysely'
import type { EventStore, Page, Subscription } from '../../eventstore/event-store.ts'
import { applyPage, noteFailure, Overtaken, park } from './checkpoint.ts'
import { isOfEvent, PARK_AFTER } from './event-fault.ts'
import { liveGeneration } from './generations.ts'
import { placesOf, type Memory, type Place, type ReadModel } from './read-model.ts'

export type RunnerDeps = {
  readonly db: Kysely<never>
  readonly store: EventStore
  readonly model: ReadModel
  readonly shard: number
  readonly moved: (at: Place) => void
  readonly onError: (model: string, error: unknown) => void
  /** Pause before a failed event is tried again, milliseconds; the last one repeats. */
  readonly retryMs: readonly number[]
}

export type Runner = { readonly stop: () => Promise<void> }

/** Events per transaction while catching up. */
const BATCH = 2000
/** Events in one page that mean that many others are on their way, and how long to let them gather. */
const BUSY = 6
const LINGER_MS = 8
/** Pages so soon after each other mean that there will be another, and how long then. Milliseconds. */
const SOON_MS = 20
const GATHER_MS = 20
const STAND_BY_MS = 1000

/**
 * Keeps one shard of a read model up with the log, until stopped: reads its checkpoint, catches up, then follows. After any failure it
 * begins again, and goes through what failed one event at a time.
 */
export function startRunner({ db, store, model, shard, moved, onError, retryMs }: RunnerDeps): Runner {
  let stopped = false
  let wake: () => void = () => {}
  /** The event that failed last by what it holds, and how often it has. */
  let failing = { position: -1n, times: 0 }
  const stopping = new Promise<void>((resolve) => (wake = resolve))

  async function run(): Promise<void> {
    let failures = 0
    while (!stopped) {
      try {
        const at = await place()
        if (at === null) {
          await sleep(STAND_BY_MS)
          continue
        }
        const keep = keeper(at)
        moved(at)
        if (failures > 0 && (await oneByOne(keep)) === 'parked') {
          failures = 1
          continue
        }
        failures = 0
        await catchUp(keep)
        await follow(keep)
      } catch (error) {
        if (error instanceof Overtaken) continue
        onError(model.name, error)
        await sleep(retryMs[Math.min(failures, retryMs.length - 1)] ?? 1000)
        failures += 1
      }
    }
  }

  /** Null while another build of the code owns the live generation: its rows are not this one's to write. */
  async function place(): Promise<Place | null> {
    const live = await liveGeneration(db, model.name)
    if (live === null || live.version !== model.version) return null
    return placesOf(live)[shard] ?? null
  }

  function keeper(start: Place) {
    let at = start
    // Of this worker as long as its commits go through; a failure begins with an empty one.
    const memory: Memory = new Map()
    return {
      at: () => at,
      apply: async (page: Page) => {
        await applyPage(db, model, at, page, memory)
        at = { ...at, position: page.upTo }
        moved(at)
      },
    }
  }
  type Keeper = ReturnType<typeof keeper>

  async function catchUp(keep: Keeper): Promise<void> {
    let events: Page['events'][number][] = []
    let upTo = keep.at().position
    for await (const page of store.scan(upTo)) {
      if (stopped) return
      for (const event of page.events) events.push(event)
      upTo = page.upTo
      if (events.length < BATCH) continue
      await keep.apply({ events, upTo })
      events = []
    }
    if (upTo > keep.at().position) await keep.apply({ events, upTo })
  }

  async function follow(keep: Keeper): Promise<void> {
    if (stopped) return
    let subscription: Subscription | undefined
    let ended = -Infinity
    const broken = new Promise<never>((_, reject) => {
      subscription = store.subscribe({
        after: keep.at().position,
        onPage: async (page) => {
          const soon = performance.now() - ended < SOON_MS
          await keep.apply(page)
          // Under load a transaction for every event or two is most of what a save costs; alone nobody waits.
          if (page.events.length >= BUSY) await sleep(LINGER_MS)
          else if (soon) await sleep(GATHER_MS)
          ended = performance.now()
        },
        onError: reject,
      })
    })
    try {
      await Promise.race([stopping, broken])
    } finally {
      await subscription?.stop()
    }
  }

  async function oneByOne(keep: Keeper): Promise<'parked' | 'applied'> {
    const page = await store.readAll(keep.at().position, 500)
    for (const event of page.events) {
      if (stopped) break
      try {
        await keep.apply({ events: [event], upTo: event.position })
      } catch (error) {
        if (error instanceof Overtaken) throw error
        const times = isOfEvent(error) ? failed(event.position) : 0
        if (model.onFailure === 'park' && times >= PARK_AFTER) {
          await park(db, keep.at(), event, times, error)
          onError(model.name, error)
          return 'parked'
        }
        await noteFailure(db, keep.at(), event.position, error).catch(() => undefined)
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
