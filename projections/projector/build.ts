import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { EventStore, Page, Position } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { batches } from './batches.ts'
import { applyPage, Overtaken, park } from './checkpoint.ts'
import { isOfEvent, PARK_AFTER } from './event-fault.ts'
import type { Generation, Memory, ReadModel } from './read-model.ts'

/** A generation that is being built. No other process moves its checkpoint. */
export type Build = {
  readonly model: ReadModel
  /** As it is now. */
  readonly generation: () => Generation
  /** Streams that it parked, with the error. */
  readonly parked: () => readonly ParkedByBuild[]
  /** Applies the log up to `goal`, or to the end of what is certain; returns the number of events. */
  readonly follow: (goal: Position) => Promise<number>
  /** Whether a failure is caused by the content of one event, whose stream can be parked. */
  readonly isOfStream: (error: unknown) => boolean
}

export type ParkedByBuild = { readonly stream: string; readonly message: string }

export type BuildDeps = {
  readonly db: Kysely<Db>
  readonly store: EventStore
  readonly model: ReadModel
  /** Reports the position and the goal. */
  readonly onProgress?: ((at: Position, of: Position) => void) | undefined
  /** Streams that it may park. With more, the build fails: the read model is at fault, not the streams. */
  readonly parkAtMost: number
}

/** Events per transaction: a row that changes often is written once per batch. */
const BATCH = 20_000
/** Pause before a failed event is retried. */
const RETRY_MS = 5

export function startBuild({ db, store, model, onProgress, parkAtMost }: BuildDeps, empty: Generation): Build {
  let at = empty
  let memory: Memory = new Map()
  const parked: ParkedByBuild[] = []

  const isOfStream = (error: unknown): boolean => model.onFailure === 'park' && !(error instanceof Overtaken) && isOfEvent(error)

  /** Bisects a failing page down to the event that cannot be applied. */
  async function apply({ events, upTo }: Page, attempt = 1): Promise<void> {
    try {
      await applyPage(db, model, at, { events, upTo }, memory)
      at = { ...at, position: upTo }
    } catch (error) {
      const [event] = events
      if (event === undefined || !isOfStream(error)) throw error
      memory = new Map()
      if (events.length > 1) {
        const half = Math.ceil(events.length / 2)
        await apply({ events: events.slice(0, half), upTo: events[half - 1]?.position ?? upTo })
        await apply({ events: events.slice(half), upTo })
      } else if (attempt < PARK_AFTER) {
        await delay(RETRY_MS)
        await apply({ events, upTo }, attempt + 1)
      } else {
        if (parked.length >= parkAtMost) throw error
        await park(db, at, event, attempt, error)
        parked.push({ stream: event.stream, message: error instanceof Error ? error.message : String(error) })
        await apply({ events, upTo })
      }
    }
  }

  return {
    model,
    generation: () => at,
    parked: () => parked,
    isOfStream,
    async follow(goal) {
      if (at.position >= goal) return 0
      let count = 0
      for await (const batch of batches(concerning(model, store.scan(at.position)), BATCH, goal)) {
        await apply(batch)
        count += batch.events.length
        onProgress?.(at.position, goal)
      }
      return count
    },
  }
}

/** The pages with the events that may change rows: the others would stay in memory until the batch is full. */
async function* concerning({ concerns }: ReadModel, pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  for await (const { events, upTo } of pages) yield { events: events.filter(concerns), upTo }
}
