import { setTimeout as delay } from 'node:timers/promises'
import type { EventStore } from '#eventstore/event-store'
import type { ProjectorDeps } from './deps.ts'
import { ensureLive } from './generations.ts'
import { withHeartbeat } from './heartbeat.ts'
import type { ReadModel } from './read-model.ts'
import { buildProgress } from './build-progress.ts'
import { rebuild } from './rebuild.ts'
import { together } from './shared-scan.ts'

export type Raising = {
  /** Resolves once every read model has this build's version, or its first attempt failed. */
  readonly tried: Promise<void>
  /** Ends a running build at its next page. */
  readonly stop: () => Promise<void>
}

/** Pauses before a failed build is retried, milliseconds; the last one repeats. Each retry is a whole rebuild. */
const RETRY_BUILD_MS = [1000, 5000, 30_000, 120_000, 600_000] as const
/** How often a process checks whether another one has finished the build. */
const POLL_MS = 300
/** A build takes longer than a lease lasts ("a rebuild that takes longer than a lease is made by one process"). */
const RENEW_MS = 500

/**
 * Rebuilds the read models whose version this build of the code has raised, together, beside the live ones. A failed
 * build is reported and retried; the live generation stays, and the other read models go on.
 */
export function raiseVersions(deps: ProjectorDeps): Raising {
  const { db, builds = db, store, models, leases, onError, onBuild, retryBuildMs = RETRY_BUILD_MS } = deps
  const stopping = new AbortController()
  const { signal } = stopping

  const leaseOf = (name: string) => `rebuild ${name}`

  /** One process rebuilds; the others wait for it. */
  async function bringToVersion(model: ReadModel): Promise<void> {
    while (!signal.aborted) {
      const { version } = await ensureLive(db, model)
      // An older process that restarts beside a newer one must not replace its rows.
      if (version >= model.version) return
      const lease = () => leases.holds(leaseOf(model.name))
      if (await lease()) await withHeartbeat(RENEW_MS, lease, () => raise(model))
      else await pause(POLL_MS)
    }
  }

  /** The read models of an older version whose lease this process gets: they are rebuilt together. */
  async function claim(of: readonly ReadModel[]): Promise<readonly ReadModel[]> {
    const live = await Promise.all(of.map((model) => ensureLive(db, model)))
    const older = of.filter(({ version }, i) => (live[i]?.version ?? 0) < version)
    const held = await leases.take(older.map(({ name }) => leaseOf(name)))
    return older.filter(({ name }) => held.has(leaseOf(name)))
  }

  async function raise(model: ReadModel, log: EventStore = store): Promise<void> {
    const began = Date.now()
    const onProgress = onBuild && ((at: bigint, of: bigint) => onBuild(model.name, buildProgress(at, of, began)))
    const { parked } = await rebuild(builds, log, model, { mode: 'raise', signal, ...(onProgress && { onProgress }) })
    for (const { stream, message } of parked) onError(model.name, new Error(`${stream} was parked: ${message}`))
  }

  async function failing(of: readonly ReadModel[]): Promise<readonly ReadModel[]> {
    const failed: ReadModel[] = []
    const attempt = async (model: ReadModel, work: () => Promise<void>): Promise<void> => {
      try {
        await work()
      } catch (error) {
        if (signal.aborted) return
        onError(model.name, error)
        failed.push(model)
      }
    }
    // A failure here happens again below, where it is reported.
    const claimed = await claim(of).catch(() => [])
    await together(store, claimed, (model, log) =>
      attempt(model, () =>
        withHeartbeat(
          RENEW_MS,
          () => leases.holds(leaseOf(model.name)),
          () => raise(model, log),
        ),
      ),
    )
    for (const model of of) if (!failed.includes(model)) await attempt(model, () => bringToVersion(model))
    return signal.aborted ? [] : failed
  }

  async function retry(first: readonly ReadModel[]): Promise<void> {
    let left = first
    for (let tries = 0; left.length > 0 && !signal.aborted; tries++) {
      await pause(retryBuildMs[Math.min(tries, retryBuildMs.length - 1)] ?? 1000)
      left = await failing(left)
    }
  }

  const pause = (milliseconds: number) => delay(milliseconds, undefined, { signal }).catch(() => undefined)

  const first = failing(models)
  const ended = first.then(retry)
  return {
    tried: first.then(() => undefined),
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
