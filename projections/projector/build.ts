import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { EventStore, Page, Position } from '../../eventstore/event-store.ts'
import { isAside, type Aside, type AsideStreams } from './aside.ts'
import { batches, certain } from './batches.ts'
import { applyAll, applyRun, joined, Overtaken, park } from './checkpoint.ts'
import { isOfEvent, PARK_AFTER } from './event-fault.ts'
import { placesOf, type Generation, type Memory, type Place, type ReadModel } from './read-model.ts'

/** A generation that is being built: nobody else moves its checkpoints, so what is known of it here holds. */
export type Build = {
  readonly model: ReadModel
  /** As it is by now. */
  readonly generation: () => Generation
  /** What it lacks, be it that the live one lacks the same. */
  readonly aside: () => AsideStreams
  /** Streams that it was given as set aside. */
  readonly inherited: ReadonlySet<string>
  /**
   * Follows the log until each shard is at its goal, or at the end of what is certain; answers how many events that were. An event
   * that cannot be applied ends it, or sets its stream aside, as the read model wants it.
   */
  readonly follow: (goals: readonly Position[]) => Promise<number>
  /** Whether a failure says that a stream is to be set aside. */
  readonly isOfStream: (error: unknown) => boolean
}

export type BuildDeps = {
  readonly db: Kysely<never>
  readonly store: EventStore
  readonly model: ReadModel
  /** Told how far it is, as positions of the log. */
  readonly onProgress?: ((at: Position, of: Position) => void) | undefined
  /** Streams that it may set aside of its own. Where more stumble it is not they that are at fault. */
  readonly asideAtMost: number
}

/** Events per transaction where they all have to be there at once; what occurs often is written once per batch. */
const BATCH = 20_000
/** The same where the read model takes them page by page. */
const LONG_BATCH = 100_000
/** Pause before an event that failed is tried again. */
const AGAIN_MS = 5

export function startBuild(deps: BuildDeps, empty: Generation, inherited: AsideStreams): Build {
  const { db, store, model, onProgress, asideAtMost } = deps
  const places = [...placesOf(empty)]
  const memories: Memory[] = places.map(() => new Map())
  const aside = new Map<string, Aside>(inherited)
  let stumbled = false

  const isOfStream = (error: unknown): boolean => model.onFailure === 'park' && !(error instanceof Overtaken) && isOfEvent(error)

  const free = ({ events, upTo }: Page): Page => ({
    events: aside.size === 0 ? events : events.filter((event) => !isAside(aside, event)),
    upTo,
  })

  async function* freeOf(run: AsyncIterable<Page>): AsyncGenerator<Page> {
    for await (const page of run) yield free(page)
  }

  const inRuns = (): boolean => model.applyRun !== undefined && places.length === 1 && !stumbled

  async function step(run: AsyncIterable<Page>, from: Position, goals: readonly Position[]): Promise<void> {
    const [first] = places
    if (first === undefined) return
    if (inRuns()) {
      places[0] = { ...first, position: await applyRun(db, model, first, freeOf(run), memories[0] ?? new Map()) }
      return
    }
    const page = await joined(run, from)
    // Together: while the rows of one shard are written, those of another are made.
    await Promise.all(
      places.map(async (place) => {
        const part = partOf(page, place, goals[place.shard] ?? 0n)
        if (part.upTo > place.position) places[place.shard] = await apply(place, part)
      }),
    )
  }

  /** What fails is applied in halves, down to the event that cannot be; answers where the shard is then. */
  async function apply(at: Place, page: Page, times = 1): Promise<Place> {
    const { events, upTo } = free(page)
    try {
      await applyAll(db, model, at, { events, upTo }, memories[at.shard] ?? new Map())
      return { ...at, position: upTo }
    } catch (error) {
      if (!isOfStream(error)) throw error
      memories[at.shard] = new Map()
      const [event] = events
      const middle = events[Math.ceil(events.length / 2) - 1]
      if (event === undefined || middle === undefined) throw error
      if (events.length > 1) {
        const half = await apply(at, partOf(page, at, middle.position))
        return apply(half, partOf(page, half, upTo))
      }
      if (times < PARK_AFTER) {
        await delay(AGAIN_MS)
        return apply(at, page, times + 1)
      }
      if (aside.size - inherited.size >= asideAtMost) throw error
      await park(db, at, event, times, error)
      aside.set(event.stream, {
        position: event.position,
        message: error instanceof Error ? error.message : String(error),
      })
      return apply({ ...at, parked: true }, page)
    }
  }

  async function steps(goals: readonly Position[]): Promise<number> {
    const behind = places.filter(({ position, shard }) => position < (goals[shard] ?? 0n))
    const [first] = behind
    if (first === undefined) return 0
    const from = behind.reduce((least, { position }) => (position < least ? position : least), first.position)
    const to = behind.reduce((most, { shard }) => ((goals[shard] ?? 0n) > most ? (goals[shard] ?? 0n) : most), from)
    let count = 0
    const taken = ({ events, upTo }: Page) => {
      count += events.length
      onProgress?.(upTo, to)
    }
    for await (const run of batches(certain(store, from), to, inRuns() ? LONG_BATCH : BATCH, taken)) await step(run, from, goals)
    return count
  }

  return {
    model,
    generation: () => ({
      ...empty,
      positions: places.map(({ position }) => position),
      parked: places.filter(({ parked }) => parked).map(({ shard }) => shard),
    }),
    aside: () => aside,
    inherited: new Set(inherited.keys()),
    isOfStream,
    async follow(goals) {
      try {
        return await steps(goals)
      } catch (error) {
        if (!inRuns() || !isOfStream(error)) throw error
        // A run cannot be cut in halves.
        stumbled = true
        memories[0] = new Map()
        return steps(goals)
      }
    },
  }
}

/** What a shard lacks of a page, up to a goal. */
function partOf({ events, upTo }: Page, { position: after }: Place, goal: Position): Page {
  return {
    events: events.filter(({ position }) => position > after && position <= goal),
    upTo: upTo < goal ? upTo : goal,
  }
}
