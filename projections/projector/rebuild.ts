import type { Kysely } from 'kysely'
import type { EventStore, Page, Position } from '../../eventstore/event-store.ts'
import { isAside, setAsideAs, standingOf, type Standing } from './aside.ts'
import { startBuild, type Build } from './build.ts'
import { compareWithLive, positionIn, type Comparison, type Difference } from './compare.ts'
import { flip, type Replaces } from './flip.ts'
import { beginBuilding, dropGeneration, dropRetired, liveGeneration, touchGeneration } from './generations.ts'
import { meanwhile } from './meanwhile.ts'
import { closeIn, nearTheEnd, type Goals } from './patience.ts'
import { newest, oldest, tablesOf, type Generation, type ReadModel } from './read-model.ts'
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

/** A stream that the generation built lacks, from the event on that could not be applied. */
export type SetAside = { readonly stream: string; readonly message: string }

export type Rebuilt = {
  /** What readers see now; null where they still see nothing. */
  readonly live: Generation | null
  readonly replaced: boolean
  /** False where the live one is of another version, or went live while this one was built; and where nobody asked. */
  readonly compared: boolean
  readonly differences: readonly Difference[]
  readonly aside: readonly SetAside[]
}

/** How often a generation that is being built is marked as such; what is not marked for a minute is dropped. */
const TOUCH_MS = 1000
/** With more streams that cannot be applied a build ends instead: whoever made it wrongly would take them all from readers. */
const ASIDE_AT_MOST = 100

/**
 * Builds a generation beside the live one and flips to it in one transaction. Readers see the old rows until the flip and all of the
 * new ones after it, never an empty table. Where both come from the same code they are compared first, byte for byte and at the same
 * events; a difference keeps the live one in place, and so does not having been compared. An event that cannot be applied ends it
 * with that error, or sets its stream aside where the read model wants that. What the live one has set aside is compared as it stands
 * there, and tried again where nothing is compared.
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
  const log = endedBy(store, signal)
  const work = async () => {
    const alike = COMPARED.includes(mode) && live?.version === model.version
    const inherited = alike ? await setAsideAs(db, live, building) : new Map()
    const asideAtMost = mode === 'force' ? Infinity : ASIDE_AT_MOST
    const build = startBuild({ db, store: log, model, onProgress, asideAtMost }, building, inherited)
    // Not past the live one: only at the same position can they be compared.
    await closeIn(build, goalsOf(db, log, build, oldest))
    signal?.throwIfAborted()
    await db.transaction().execute(async (trx) => {
      await unhurried(trx)
      await model.index?.(trx, tablesOf(model, building.generation))
    })
    signal?.throwIfAborted()
    return finish(db, log, build, { mode, signal })
  }
  try {
    // Its checkpoint does not move while a long page or an index is made
    // ("what is being built is not taken for a build that died, however long it takes").
    return await meanwhile(TOUCH_MS, () => touchGeneration(db, building), work)
  } finally {
    // Live by now, unless something went wrong or a check was all that was wanted. Where even this fails, the former is the news.
    await dropGeneration(db, model.name, building.generation).catch(() => undefined)
  }
}

/** The store that is read no more once the signal says so. */
function endedBy(store: EventStore, signal: AbortSignal | undefined): EventStore {
  async function* scan(after: Position): AsyncGenerator<Page> {
    for await (const page of store.scan(after)) {
      signal?.throwIfAborted()
      yield page
    }
  }
  return { ...store, scan }
}

/** Each shard to where the live one has it, or, cut otherwise, to where the live one is at its oldest or newest; else to the end. */
const goalsOf =
  (db: Kysely<never>, store: EventStore, build: Build, edge: (live: Generation) => Position): Goals =>
  async () => {
    const { name, version } = build.model
    const { positions } = build.generation()
    const live = await liveGeneration(db, name)
    if (live?.version === version && live.positions.length === positions.length) return live.positions
    const goal = live?.version === version ? edge(live) : await store.head()
    return positions.map(() => goal)
  }

/** Compares, and goes live as soon as that makes nobody wait. */
async function finish(
  db: Kysely<never>,
  store: EventStore,
  build: Build,
  { mode, signal }: { readonly mode: Mode; readonly signal: AbortSignal | undefined },
): Promise<Rebuilt> {
  const comparison = COMPARED.includes(mode)
    ? await nearTheEnd(build, goalsOf(db, store, build, oldest), signal, () => compareWithLive(db, store, build))
    : null
  const replaces: Replaces = (standing) => goesLive(mode, build.model, standing.live, saidOf(comparison, build, standing))
  const now = await standingOf(db, build.model.name)
  const { before, live, replaced } = replaces(now)
    ? await nearTheEnd(build, goalsOf(db, store, build, newest), signal, () => flip(db, store, build, replaces))
    : { before: now, live: now.live, replaced: false }
  const found = saidOf(comparison, build, before)
  return {
    live,
    replaced,
    compared: found !== null,
    differences: found?.differences ?? [],
    aside: [...build.aside()].map(([stream, { message }]) => ({ stream, message })),
  }
}

/**
 * What a comparison says of what is live: of another generation it says nothing
 * ("a rebuild does not replace a generation that it was not compared with"). That the two are alike holds no longer than both lack the
 * same ("a stream that is tried again once a rebuild was compared is not taken from readers").
 */
function saidOf(comparison: Comparison | null, build: Build, standing: Standing): Comparison | null {
  const said = comparison?.generation === standing.live?.generation ? comparison : null
  return said?.differences.length === 0 && hasTakenUp(standing, build) ? null : said
}

/** Whether the live one goes on with a stream that the build has set aside. */
const hasTakenUp = ({ live, aside }: Standing, build: Build): boolean =>
  live !== null &&
  [...build.aside()].some(
    ([stream, { position }]) =>
      !isAside(aside, { stream, position }) && (build.inherited.has(stream) || position <= positionIn(live, stream)),
  )

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
