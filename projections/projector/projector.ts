import { setTimeout as delay } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { EventStore } from '#eventstore/event-store'
import { NO_TRACES } from '#eventstore/tracer'
import type { Db } from '#migrations/db'
import type { ProjectorDeps } from './deps.ts'
import { dropRetired, ensureLive, liveGeneration } from './generations.ts'
import { lagOf, type Lag } from './lag.ts'
import { createProgress, PROGRESS_SESSION, type Progress } from './progress.ts'
import { raiseVersions } from './raise.ts'
import type { ReadModel } from './read-model.ts'
import { startRunner, type Runner } from './runner.ts'

export type Projector = {
  /** True once these read models, or all, have reached the position; false after `milliseconds`. */
  readonly reached: (position: bigint, milliseconds: number, of?: readonly string[]) => Promise<boolean>
  /** Names of the read models that are more than a second behind the log, or of another version than this build's. */
  readonly unready: () => Promise<readonly string[]>
  /** At a moment of business time. */
  readonly lag: (now: string) => Promise<readonly Lag[]>
  readonly stop: () => Promise<void>
}

const RETRY_MS = [50, 250, 1000, 5000] as const
/** How often leases are renewed, and free ones taken. */
const LEASE_EVERY_MS = 300
const LEASE_AT_START_MS = 50
/** How often retired generations are dropped. */
const TIDY_MS = 3000
const READY_WITHIN_MS = 1000

/**
 * Keeps every read model up with the log. Of all processes that do so, the one that holds the lease of a read model applies its
 * events; when it dies, another takes over. A read model of an older version is rebuilt first; this waits for the rebuild unless
 * it fails. An event that cannot be applied stops its read model or parks its stream: the rows stay readable, es.subscriptions
 * says why, and the event is retried.
 */
export async function startProjector(deps: ProjectorDeps): Promise<Projector> {
  const { db, url, store, models, leases, onError, retryMs = RETRY_MS, holdBack, tracer = NO_TRACES } = deps
  for (const model of models) await ensureLive(db, model)
  const progress = createProgress(db, url, models)
  const runners = new Map<string, Runner>()
  const stopping = new AbortController()
  const { signal } = stopping
  const leaseOf = (name: string) => `projector ${name}`

  async function shareWork(): Promise<void> {
    // Generations of another version are left to processes of that version.
    const foreign = await ofAnotherVersion(db, models)
    const ours = models.filter(({ name }) => !foreign.includes(name))
    const held = await leases.take(ours.map(({ name }) => leaseOf(name)))
    for (const [name, runner] of runners) {
      if (held.has(leaseOf(name))) continue
      runners.delete(name)
      await runner.stop()
      // After the stop: a page in progress would be noted as this process's own
      // ("a process that lost a lease in the middle of a page follows its successor").
      progress.forget(name)
      await leases.release(leaseOf(name))
    }
    for (const model of ours) {
      if (!held.has(leaseOf(model.name)) || runners.has(model.name) || signal.aborted) continue
      const failed = (name: string, error: unknown) => {
        progress.forget(name)
        onError(name, error)
      }
      runners.set(model.name, startRunner({ db, store, model, moved: progress.note, onError: failed, retryMs, holdBack, tracer }))
    }
    progress.announce(await othersListen())
  }

  const othersListen = async (): Promise<boolean> => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
      where application_name = ${PROGRESS_SESSION} and datname = current_database()`.execute(db)
    return (rows[0]?.n ?? 0) > 1
  }

  async function tidy(): Promise<void> {
    for (const { name } of models) await dropRetired(db, name).catch((error: unknown) => onError(name, error))
  }

  // While the database is away the runners stay: the checkpoint's compare-and-set makes a former leader harmless.
  const lease = () => shareWork().catch((error: unknown) => onError('leases', error))
  await lease()
  const raising = raiseVersions(deps)
  const leasing = repeat(lease, () => (runners.size === 0 ? LEASE_AT_START_MS : LEASE_EVERY_MS), signal)
  // A loop of its own: waiting for a lock to drop a table must not delay the renewal of leases.
  const tidying = repeat(tidy, () => TIDY_MS, signal)
  // Read models that need no rebuild are kept up to date during this.
  await raising.tried

  return {
    ...answersOf(db, store, models, progress),
    async stop() {
      stopping.abort()
      await Promise.all([leasing, tidying, raising.stop()])
      await Promise.all([...runners.values()].map((runner) => runner.stop()))
      await progress.close()
    },
  }
}

/** Repeats the work until aborted, with a pause before each time. */
async function repeat(work: () => Promise<void>, pauseMs: () => number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(pauseMs(), undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) await work()
  }
}

/** The same answers for a process that keeps up no read model. Creates missing tables, so that readers find them empty. */
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
  db: Kysely<Db>,
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

/** Names of the read models whose live rows have a shape that this build of the code cannot read or write. */
async function ofAnotherVersion(db: Kysely<Db>, models: readonly ReadModel[]): Promise<readonly string[]> {
  const live = await Promise.all(models.map(({ name }) => liveGeneration(db, name)))
  return models.filter(({ version }, i) => live[i]?.version !== version).map(({ name }) => name)
}
