import { setTimeout as delay } from 'node:timers/promises'
import type { ProjectorDeps } from './projector.ts'
import { ensureLive } from './generations.ts'
import { withHeartbeat } from './heartbeat.ts'
import type { ReadModel } from './read-model.ts'
import { rebuild } from './rebuild.ts'

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
 * Rebuilds the read models whose version this build of the code has raised, one after the other, beside the live ones. A failed
 * build is reported and retried; the live generation stays, and the other read models go on.
 */
export function raiseVersions(deps: ProjectorDeps): Raising {
  const { db, builds = db, store, models, leases, onError, retryBuildMs = RETRY_BUILD_MS } = deps
  const stopping = new AbortController()
  const { signal } = stopping

  /** One process rebuilds; the others wait for it. */
  async function bringToVersion(model: ReadModel): Promise<void> {
    while (!signal.aborted) {
      const { version } = await ensureLive(db, model)
      // An older process that restarts beside a newer one must not replace its rows.
      if (version >= model.version) return
      const lease = () => leases.holds(`rebuild ${model.name}`)
      if (await lease()) await withHeartbeat(RENEW_MS, lease, () => raise(model))
      else await pause(POLL_MS)
    }
  }

  async function raise(model: ReadModel): Promise<void> {
    const { parked } = await rebuild(builds, store, model, { mode: 'raise', signal })
    for (const { stream, message } of parked) onError(model.name, new Error(`${stream} was parked: ${message}`))
  }

  async function failing(of: readonly ReadModel[]): Promise<readonly ReadModel[]> {
    const failed: ReadModel[] = []
    for (const model of of) {
      try {
        await bringToVersion(model)
      } catch (error) {
        if (signal.aborted) return []
        onError(model.name, error)
        failed.push(model)
      }
    }
    return failed
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
