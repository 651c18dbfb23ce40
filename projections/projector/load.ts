import type { Kysely } from 'kysely'
import type { EventStore, Position } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { batches } from './batches.ts'
import { writeUpTo } from './checkpoint.ts'
import { isOfEvent } from './event-fault.ts'
import { tablesOf, type Generation, type ReadModel, type ReadStored } from './read-model.ts'

/** An event could not be applied. `apply` finds which one, in another generation. */
export class NotLoaded extends Error {}

export type LoadDeps = {
  readonly db: Kysely<Db>
  readonly store: EventStore
  readonly model: ReadModel
  readonly onProgress?: ((at: Position, of: Position) => void) | undefined
}

/** Events between two commits of rows. */
const WRITE_EVERY = 10_000

/**
 * Fills an empty generation with the log up to `goal`, and indexes it. Rows are written while the next ones are made. A load that
 * ends early is not continued: rows that were not written are in its memory alone ("a load that is killed between the rows and
 * the checkpoint leaves nothing behind"). @throws {NotLoaded}
 */
export async function load(
  { db, store, model, onProgress }: LoadDeps,
  empty: Generation,
  goal: Position,
  writeEvery = WRITE_EVERY,
): Promise<Generation> {
  if (model.load === undefined) return empty
  const tables = tablesOf(model, empty.generation)
  let at = empty
  let writing: Promise<void> = Promise.resolve()
  const stored: ReadStored = async (read) => {
    await writing
    return read(db)
  }
  const loader = model.load(tables, stored)

  /** Hands over what is ready. At most one transaction runs at a time. */
  async function write(upTo: Position, all: boolean): Promise<void> {
    await writing
    const [from, rows] = [at, loader.take(all)]
    at = { ...at, position: upTo }
    writing = writeUpTo(db, from, upTo, rows)
    // Awaited by the next one.
    writing.catch(() => undefined)
  }

  try {
    let unwritten = 0
    let reached = at.position
    for await (const { events, upTo } of batches(store.scan(at.position), 1, goal)) {
      await loader.add(events)
      unwritten += events.length
      reached = upTo
      if (unwritten >= writeEvery) {
        await write(upTo, false)
        unwritten = 0
      }
      onProgress?.(upTo, goal)
    }
    // The log may be certain up to an earlier position only.
    await write(reached, true)
    await writing
  } catch (error) {
    if (model.onFailure !== 'park' || !isOfEvent(error)) throw error
    throw new NotLoaded(error instanceof Error ? error.message : String(error), { cause: error })
  } finally {
    await writing.catch(() => undefined)
  }
  await model.index?.(db, tables)
  return at
}
