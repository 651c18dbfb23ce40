import { setTimeout as delay } from 'node:timers/promises'
import type { ProjectorDeps } from './projector.ts'
import { ensureLive } from './generations.ts'
import { meanwhile } from './meanwhile.ts'
import type { ReadModel } from './read-model.ts'
import { rebuild } from './rebuild.ts'

export type Raising = {
  /** Resolves once every read model is of this build's version, or could not be built the first time. */
  readonly tried: Promise<void>
  /** Ends what is being built at its next page. */
  readonly stop: () => Promise<void>
}

/** Pauses before what could not be built is built again, milliseconds; the last one repeats. A whole rebuild each: no hurry. */
const BUILD_AGAIN_MS = [1000, 5000, 30_000, 120_000, 600_000] as const
/** How often somebody asks whether another process has built it. */
const ASK_MS = 300
/** A build takes longer than a lease lasts ("a rebuild that takes longer than a lease is made by one process"). */
const RENEW_MS = 500

/**
 * Builds the read models whose version this build of the code has raised, one after the other, beside the live ones. One that
 * cannot be built is told of and tried again for as long as it takes; the live one stays as it is, and nobody else waits for it.
 */
export function raiseVersions({ db, store, models, leases, onError, buildAgainMs = BUILD_AGAIN_MS }: ProjectorDeps): Raising {
  const stopping = new AbortController()
  const { signal } = stopping

  /** By one process; the others wait until it is there. */
  async function bringToVersion(model: ReadModel): Promise<void> {
    while (!signal.aborted) {
      const { version } = await ensureLive(db, model)
      // An older process that restarts beside a newer one must not build backwards.
      if (version >= model.version) return
      const lease = () => leases.holds(`rebuild ${model.name}`)
      if (await lease()) await meanwhile(RENEW_MS, lease, () => raise(model))
      else await pause(ASK_MS)
    }
  }

  async function raise(model: ReadModel): Promise<void> {
    const { aside } = await rebuild(db, store, model, { mode: 'raise', signal })
    for (const { stream, message } of aside) onError(model.name, new Error(`${stream} was set aside: ${message}`))
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

  async function again(first: readonly ReadModel[]): Promise<void> {
    let left = first
    for (let tries = 0; left.length > 0 && !signal.aborted; tries++) {
      await pause(buildAgainMs[Math.min(tries, buildAgainMs.length - 1)] ?? 1000)
      left = await failing(left)
    }
  }

  const pause = (milliseconds: number) => delay(milliseconds, undefined, { signal }).catch(() => undefined)

  const first = failing(models)
  const ended = first.then(again)
  return {
    tried: first.then(() => undefined),
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
