import type { Kysely } from 'kysely'
import type { EventStore, Page, Position } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { startBuild, type Build, type ParkedByBuild } from './build.ts'
import { FEW, flipWhenCaughtUp, withinLog, type Flipped } from './flip.ts'
import { beginBuilding, dropGeneration, dropRetired, liveGeneration, touchGeneration } from './generations.ts'
import { withHeartbeat } from './heartbeat.ts'
import { load, NotLoaded, type LoadDeps } from './load.ts'
import { tablesOf, type Generation, type ReadModel } from './read-model.ts'

/** For the pool of rebuilds and comparisons: a statement may go through whole tables, and the log is read between two of them. */
export const BUILD_LIMITS = { statementMs: 3_600_000, idleInTransactionMs: 600_000 }

export type BuildOptions = {
  /** Reports the position and the goal. */
  readonly onProgress?: (at: Position, of: Position) => void
  /** Ends it with an error at the next page. */
  readonly signal?: AbortSignal
}

export type RebuildOptions = BuildOptions & {
  /**
   * `replace` replaces a live generation of this version or an older one; `raise` of an older one only; `force` of any version,
   * however many streams have to be parked.
   */
  readonly mode?: 'replace' | 'raise' | 'force'
}

export type Rebuilt = Flipped & { readonly parked: readonly ParkedByBuild[] }

/** How often a running build is marked as alive; after a minute without it is dropped. */
const TOUCH_MS = 1000
/** With more streams that cannot be applied the build fails: a broken read model would hide them all. */
const PARK_AT_MOST = 100
/** Rounds of catching up, each with what was appended during the one before. */
const ROUNDS = 10

/**
 * Builds a new generation beside the live one and flips to it once it has caught up. Readers see the old rows until the flip and
 * all of the new ones after it. An event that cannot be applied ends the build, or parks its stream where the read model allows
 * that. Parked streams of the live generation are retried.
 */
export async function rebuild(
  db: Kysely<Db>,
  store: EventStore,
  model: ReadModel,
  options: RebuildOptions = {},
): Promise<Rebuilt> {
  try {
    return await build(db, store, model, options)
  } catch (error) {
    if (!(error instanceof NotLoaded)) throw error
    return build(db, store, applied(model), options)
  }
}

/** The read model without its load, whose `apply` needs the indexes from the first event on. */
function applied({ load: _load, index, ...model }: ReadModel): ReadModel {
  const create: ReadModel['create'] = async (db, tables) => {
    await model.create(db, tables)
    await index?.(db, tables)
  }
  return { ...model, create }
}

async function build(
  db: Kysely<Db>,
  store: EventStore,
  model: ReadModel,
  { mode = 'replace', onProgress, signal }: RebuildOptions,
): Promise<Rebuilt> {
  const replaces = (live: Generation | null): boolean =>
    mode === 'force' || live === null || live.version < model.version || (mode === 'replace' && live.version === model.version)
  return withBuilding(db, model, async (building) => {
    const log = abortable(store, signal)
    const parkAtMost = mode === 'force' ? Infinity : PARK_AT_MOST
    const filled = await fill({ db, store: log, model, onProgress }, building)
    const build = startBuild({ db, store: log, model, onProgress, parkAtMost }, filled)
    const catchUp = () => catchUpWithLive(db, log, build)
    await catchUp()
    signal?.throwIfAborted()
    if (model.load === undefined) await model.index?.(db, tablesOf(model, building.generation))
    const flipped = await flipWhenCaughtUp(db, log, build, replaces, { catchUp, signal })
    return { ...flipped, parked: build.parked() }
  })
}

/** Runs `work` with a new generation, which is dropped afterwards unless it went live. */
export async function withBuilding<T>(db: Kysely<Db>, model: ReadModel, work: (building: Generation) => Promise<T>): Promise<T> {
  await dropRetired(db, model.name)
  const building = await beginBuilding(db, model)
  try {
    // Its checkpoint does not move while an index is built
    // ("keeps a build that takes longer than a minute").
    return await withHeartbeat(
      TOUCH_MS,
      () => touchGeneration(db, building),
      () => work(building),
    )
  } finally {
    await dropGeneration(db, model.name, building.generation).catch(() => undefined)
  }
}

/**
 * Repeats until a round brings only a few events: up to the live checkpoint of the same version, else up to the end of the log.
 */
export async function catchUpWithLive(db: Kysely<Db>, store: EventStore, build: Build): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) if ((await build.follow(await goalOf(db, store, build.model))) <= FEW) return
}

/** The live checkpoint of the same version, within the log, else the end of the log. */
async function goalOf(db: Kysely<Db>, store: EventStore, { name, version }: ReadModel): Promise<Position> {
  const live = await liveGeneration(db, name)
  return live?.version === version ? withinLog(store, live.position) : store.head()
}

/** Loads the rows of a read model that can be loaded. @throws {NotLoaded} */
export const fill = async (deps: LoadDeps, empty: Generation): Promise<Generation> =>
  load(deps, empty, await goalOf(deps.db, deps.store, deps.model))

/** The store, whose scans end with an error once the signal is aborted. */
export function abortable(store: EventStore, signal: AbortSignal | undefined): EventStore {
  async function* scan(after: Position): AsyncGenerator<Page> {
    for await (const page of store.scan(after)) {
      signal?.throwIfAborted()
      yield page
    }
  }
  return { ...store, scan }
}
