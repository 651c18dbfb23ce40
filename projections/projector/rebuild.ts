import { sql, type Kysely, type Transaction } from 'kysely'
import type { EventStore, Page, Position, StoredEvent } from '../../eventstore/event-store.ts'
import { applyAll, applyInside, applyRun, joined } from './checkpoint.ts'
import { cannotBeRead, compareWithLive, type Comparison, type Difference } from './compare.ts'
import {
  beginBuilding,
  dropGeneration,
  dropRetired,
  liveGeneration,
  locked,
  showInstead,
  touchGeneration,
} from './generations.ts'
import { meanwhile } from './meanwhile.ts'
import { placesOf, tablesOf, type Generation, type Memory, type Place, type ReadModel } from './read-model.ts'
import { unhurried } from './unhurried.ts'

export type RebuildOptions = {
  /** Shards of the new generation; those of the live one when absent. */
  readonly shards?: number
  /**
   * `check` compares with the live generation and goes no further; `force` replaces it whatever it is; `raise` replaces one of an
   * older version, and leaves everything as it is where another process has done so meanwhile.
   */
  readonly mode?: 'replace' | 'check' | 'force' | 'raise'
  /** Told how far it is, as positions of the log. */
  readonly onProgress?: (at: Position, of: Position) => void
  /** Ends it with an error at the next page. */
  readonly signal?: AbortSignal
}

type Mode = NonNullable<RebuildOptions['mode']>
const COMPARED: readonly Mode[] = ['replace', 'check']

export type Rebuilt = {
  /** What readers see now; null where they still see nothing. */
  readonly live: Generation | null
  readonly replaced: boolean
  /** False where the live one is of another version, or went live while this one was built; and where nobody asked. */
  readonly compared: boolean
  readonly differences: readonly Difference[]
}

/** Events per transaction where they all have to be there at once; what occurs often is written once per batch. */
const BATCH = 20_000
/** The same where the read model takes them page by page. */
const LONG_BATCH = 100_000
const PAGE = 1000
/** How often a generation that is being built is marked as such; what is not marked for a minute is dropped. */
const TOUCH_MS = 1000

/**
 * Builds a generation beside the live one and flips to it in one transaction. Readers see the old rows until the flip and all of the
 * new ones after it, never an empty table. Where both come from the same code they are compared first, byte for byte and at the same
 * events; a difference keeps the live one in place, and so does not having been compared. An event that cannot be applied ends it
 * with that error.
 */
export async function rebuild(
  db: Kysely<never>,
  store: EventStore,
  model: ReadModel,
  { shards, mode = 'replace', onProgress, signal }: RebuildOptions = {},
): Promise<Rebuilt> {
  // Of rebuilds before, where no projector runs that would do it.
  await dropRetired(db, model.name)
  const live = await liveGeneration(db, model.name)
  const building = await beginBuilding(db, model, shards ?? live?.positions.length ?? 1)
  const build = async () => {
    const next = await catchUp(db, endedBy(store, signal), model, building, onProgress)
    signal?.throwIfAborted()
    await db.transaction().execute(async (trx) => {
      await unhurried(trx)
      await model.index?.(trx, tablesOf(model, next.generation))
    })
    signal?.throwIfAborted()
    return finish(db, store, model, next, mode)
  }
  try {
    // Its checkpoint does not move while a long page or an index is made
    // ("what is being built is not taken for a build that died, however long it takes").
    return await meanwhile(TOUCH_MS, () => touchGeneration(db, building), build)
  } finally {
    // Live by now, unless something went wrong or a check was all that was wanted. Where even this fails, the former is the news.
    await dropGeneration(db, model.name, building.generation).catch(() => undefined)
  }
}

/** The store whose scans end with an error once the signal says so. */
function endedBy(store: EventStore, signal: AbortSignal | undefined): EventStore {
  async function* scan(after: Position): AsyncGenerator<Page> {
    for await (const page of store.scan(after)) {
      signal?.throwIfAborted()
      yield page
    }
  }
  return { ...store, scan }
}

/** Follows the log up to where the live generation is, but not past it: only at the same position can they be compared. */
async function catchUp(
  db: Kysely<never>,
  store: EventStore,
  model: ReadModel,
  building: Generation,
  onProgress: RebuildOptions['onProgress'],
): Promise<Generation> {
  const memories: readonly Memory[] = building.positions.map(() => new Map())
  let at = building.positions[0] ?? 0n
  // The second round takes what was appended during the first, and so on; what is left then is done under the lock.
  for (let round = 0; round < 3; round++) {
    const goal = await goalOf(db, store, model)
    if (goal <= at) break
    const size = model.applyRun !== undefined && building.positions.length === 1 ? LONG_BATCH : BATCH
    const taken = (upTo: Position) => onProgress?.(upTo, goal)
    for await (const run of batches(store.scan(at), goal, size, taken)) {
      const places = placesOf({ ...building, positions: building.positions.map(() => at) })
      at = await applyBatch(db, model, places, memories, run)
    }
  }
  return { ...building, positions: building.positions.map(() => at) }
}

async function goalOf(db: Kysely<never>, store: EventStore, model: ReadModel): Promise<Position> {
  const live = await liveGeneration(db, model.name)
  if (live === null || live.version !== model.version) return store.head()
  return live.positions.reduce((least, position) => (position < least ? position : least))
}

async function applyBatch(
  db: Kysely<never>,
  model: ReadModel,
  places: readonly Place[],
  memories: readonly Memory[],
  run: AsyncIterable<Page>,
): Promise<Position> {
  const [first, ...others] = places
  if (first !== undefined && others.length === 0) return applyRun(db, model, first, run, memories[0] ?? new Map())
  const page = await joined(run, first?.position ?? 0n)
  // Together: while the rows of one shard are written, those of another are made.
  await Promise.all(places.map((place) => applyAll(db, model, place, page, memories[place.shard] ?? new Map())))
  return page.upTo
}

/** The pages of a scan up to `goal`, in batches of so many events; each is to be read to its end before the next. */
async function* batches(
  scan: AsyncIterable<Page>,
  goal: Position,
  size: number,
  taken: (upTo: Position) => void,
): AsyncGenerator<AsyncIterable<Page>> {
  const source = scan[Symbol.asyncIterator]()
  let ended = false

  async function page(): Promise<Page | null> {
    const events: StoredEvent[] = []
    let upTo: Position | null = null
    while (!ended && events.length < PAGE) {
      const { value, done } = await source.next()
      if (done === true) {
        ended = true
        break
      }
      const found: Page = value
      ended = found.upTo >= goal
      for (const event of found.events) if (event.position <= goal) events.push(event)
      upTo = ended ? goal : found.upTo
    }
    return upTo === null ? null : { events, upTo }
  }
  async function* batch(): AsyncGenerator<Page> {
    for (let count = 0; count < size;) {
      const next = await page()
      if (next === null) return
      count += next.events.length
      yield next
      taken(next.upTo)
    }
  }
  try {
    while (!ended) yield batch()
  } finally {
    await source.return?.()
  }
}

async function finish(
  db: Kysely<never>,
  store: EventStore,
  model: ReadModel,
  building: Generation,
  mode: Mode,
): Promise<Rebuilt> {
  const comparison = COMPARED.includes(mode) ? await compareWithLive(db, store, model, building) : null
  return db.transaction().execute(async (trx) => {
    await locked(trx, model.name)
    // Whoever moves the live generation waits here, and finds it retired or goes on.
    await sql`select 1 from es.subscriptions where name = ${model.name} and status = 'live' for update`.execute(trx)
    const live = await liveGeneration(trx, model.name)
    // What was compared and is not live any more says nothing
    // ("a rebuild does not replace a generation that it was not compared with").
    const found = comparison?.generation === live?.generation ? comparison : null
    const replaced = goesLive(mode, model, live, found)
    const outcome = { replaced, compared: found !== null, differences: found?.differences ?? [] }
    if (!replaced) return { ...outcome, live }
    const next = live === null ? building : await rollForward(trx, store, model, building, live)
    await showInstead(trx, model, next.generation)
    return { ...outcome, live: { ...next, status: 'live' } }
  })
}

/**
 * Asked under the lock: while this one was built another may have gone live
 * ("a rebuild that is not needed any more when it is done does not go live").
 */
function goesLive(mode: Mode, model: ReadModel, live: Generation | null, found: Comparison | null): boolean {
  if (mode === 'check') return false
  if (mode === 'force' || live === null) return true
  if (live.version !== model.version) return live.version < model.version
  return mode === 'replace' && found?.differences.length === 0
}

/** Every stream at least as far as its readers have seen it. */
async function rollForward(
  trx: Transaction<never>,
  store: EventStore,
  model: ReadModel,
  building: Generation,
  live: Generation,
): Promise<Generation> {
  const newest = live.positions.reduce((most, position) => (position > most ? position : most))
  const sameShards = live.positions.length === building.positions.length
  const positions: Position[] = []
  for (const place of placesOf(building)) {
    const goal = sameShards ? (live.positions[place.shard] ?? newest) : newest
    let at = place.position
    while (at < goal) {
      const { events, upTo } = await store.readAll(at, 1000)
      const page = { events: events.filter(({ position }) => position <= goal), upTo: upTo > goal ? goal : upTo }
      if (page.upTo <= at) throw cannotBeRead(model, goal)
      await applyInside(trx, model, { ...place, position: at }, page)
      at = page.upTo
    }
    positions.push(at)
  }
  return { ...building, positions }
}
