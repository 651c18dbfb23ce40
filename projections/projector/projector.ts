import { setTimeout as delay } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { EventStore } from '../../eventstore/event-store.ts'
import { dropRetired, ensureLive, liveGeneration } from './generations.ts'
import { lagOf, type Lag } from './lag.ts'
import type { Leases } from './leases.ts'
import { createProgress, PROGRESS_SESSION, type Progress } from './progress.ts'
import { raiseVersions } from './raise.ts'
import type { ReadModel } from './read-model.ts'
import { startRunner, type Runner } from './runner.ts'

export type ProjectorDeps = {
  readonly db: Kysely<never>
  /** Of the same database, for what needs a session of its own. */
  readonly url: string
  readonly store: EventStore
  readonly models: readonly ReadModel[]
  readonly leases: Leases
  readonly onError: (model: string, error: unknown) => void
  /** Pauses before an event that could not be applied is tried again, milliseconds; the last one repeats. */
  readonly retryMs?: readonly number[]
  /** The same for a read model that could not be built. */
  readonly buildAgainMs?: readonly number[]
}

export type Projector = {
  /** True once these read models, or all, have reached the position; false when `milliseconds` pass before. */
  readonly reached: (position: bigint, milliseconds: number, of?: readonly string[]) => Promise<boolean>
  /** Names of the read models that are more than a second behind the log, or of another version than this build's. */
  readonly unready: () => Promise<readonly string[]>
  /** At a moment of business time. */
  readonly lag: (now: string) => Promise<readonly Lag[]>
  readonly stop: () => Promise<void>
}

const RETRY_MS = [50, 250, 1000, 5000] as const
const SHARE_MS = 300
/** How often somebody looks for generations that nobody needs any more. */
const TIDY_MS = 3000
const READY_WITHIN_MS = 1000

/**
 * Keeps every read model up with the log, together with whatever other processes do the same: each shard is kept by one of them.
 * One that is of an older version is built anew first, and waited for unless that fails. An event that cannot be applied stops
 * its read model, or sets its stream aside, and nobody else's: the rows before it stay readable, the reason stands in es.subscriptions, and the event is tried again for as long as it takes.
 */
export async function startProjector(deps: ProjectorDeps): Promise<Projector> {
  const { db, url, store, models, leases, onError, retryMs = RETRY_MS } = deps
  for (const model of models) await ensureLive(db, model)
  const progress = createProgress(db, url, models)
  const runners = new Map<string, Runner>()
  const stopping = new AbortController()
  const { signal } = stopping

  /** What this build of the code may write; generations of another are left to processes that run that one. */
  async function shardsOfAll(): Promise<readonly { readonly key: string; readonly model: ReadModel; readonly shard: number }[]> {
    const all = await Promise.all(models.map(async (model) => ({ model, live: await liveGeneration(db, model.name) })))
    return all.flatMap(({ model, live }) =>
      live?.version === model.version ? live.positions.map((_, shard) => ({ key: `${model.name} ${shard}`, model, shard })) : [],
    )
  }

  async function share(): Promise<void> {
    const shards = await shardsOfAll()
    const mine = await leases.share(
      'projector',
      shards.map(({ key }) => key),
    )
    const wanted = new Map(shards.filter(({ key }) => mine.has(key)).map((each) => [each.key, each]))
    for (const [key, runner] of runners) {
      if (wanted.has(key)) continue
      runners.delete(key)
      const [name = '', shard = '0'] = key.split(' ')
      await runner.stop()
      // Not before: the page it was at would be noted as this process's own again, and nobody would ask how far others are
      // ("a process that gave a shard away in the middle of a page hears how far its successor is").
      progress.forget(name, Number(shard))
    }
    for (const [key, { model, shard }] of wanted) {
      if (runners.has(key) || signal.aborted) continue
      const failed = (name: string, error: unknown) => {
        progress.forget(name, shard)
        onError(name, error)
      }
      runners.set(key, startRunner({ db, store, model, shard, moved: progress.note, onError: failed, retryMs }))
    }
    progress.announce(await somebodyListens())
  }

  const somebodyListens = async (): Promise<boolean> => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
      where application_name = ${PROGRESS_SESSION} and datname = current_database()`.execute(db)
    return (rows[0]?.n ?? 0) > 1
  }

  async function tidy(): Promise<void> {
    for (const { name } of models) await dropRetired(db, name).catch((error: unknown) => onError(name, error))
  }

  // While the database is away everybody keeps what he has: the compare-and-set of the checkpoint guards the rest.
  const look = () => share().catch((error: unknown) => onError('shares', error))
  await look()
  const raising = raiseVersions(deps)
  const sharing = repeat(look, () => (runners.size === 0 ? SHARE_MS / 6 : SHARE_MS), signal)
  // Not with the shares: whoever waits to drop a table does not renew what he holds.
  const tidying = repeat(tidy, () => TIDY_MS, signal)
  // What needs no building goes on meanwhile.
  await raising.tried

  return {
    ...answersOf(db, store, models, progress),
    async stop() {
      stopping.abort()
      await Promise.all([sharing, tidying, raising.stop()])
      await Promise.all([...runners.values()].map((runner) => runner.stop()))
      await progress.close()
    },
  }
}

/** Does something again and again, after a pause each time, until it is to stop. */
async function repeat(work: () => Promise<void>, pauseMs: () => number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(pauseMs(), undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) await work()
  }
}

/** The same answers for a process that keeps up none itself. Whoever starts first makes the tables: readers find them empty. */
export async function watchProjections({
  db,
  url,
  store,
  models,
}: Pick<ProjectorDeps, 'db' | 'url' | 'store' | 'models'>): Promise<Projector> {
  for (const model of models) await ensureLive(db, model)
  const progress = createProgress(db, url, models)
  return { ...answersOf(db, store, models, progress), stop: () => progress.close() }
}

function answersOf(
  db: Kysely<never>,
  store: EventStore,
  models: readonly ReadModel[],
  progress: Progress,
): Pick<Projector, 'reached' | 'unready' | 'lag'> {
  return {
    reached: progress.reached,
    async unready() {
      const head = await store.head()
      const foreign = await ofAnotherVersion(db, models)
      const ours = models.map(({ name }) => name).filter((name) => !foreign.includes(name))
      if (await progress.reached(head, READY_WITHIN_MS, ours)) return foreign
      const positions = await progress.positions()
      return [...foreign, ...ours.filter((name) => (positions.get(name) ?? -1n) < head)]
    },
    lag: (now) => lagOf(db, store, models, now),
  }
}

/** Their rows have a shape that this build of the code does not know: who reads them would fail, or be misled. */
async function ofAnotherVersion(db: Kysely<never>, models: readonly ReadModel[]): Promise<readonly string[]> {
  const live = await Promise.all(models.map(({ name }) => liveGeneration(db, name)))
  return models.filter(({ version }, i) => live[i]?.version !== version).map(({ name }) => name)
}
