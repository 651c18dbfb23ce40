import { setTimeout as delay } from 'node:timers/promises'
import type { Position } from '../../eventstore/event-store.ts'
import type { Build } from './build.ts'
import { isLockTimeout } from './generations.ts'
import type { ReadModel } from './read-model.ts'

/** What cannot be done at this moment, and may be at the next. */
export class NotYet extends Error {}

/** What the live one has passed is certain; should the reader not say so yet, the rows stay as they are for now. */
export const cannotBeRead = ({ name }: ReadModel, goal: Position) =>
  new NotYet(`${name} cannot be read up to ${goal} now; try again`)

/** Where each shard of a build is to go. */
export type Goals = () => Promise<readonly Position[]>

/** Events that came while those before were applied, and that whoever waits for them may wait for. */
export const FEW = 500
const ROUNDS = 10
/** Longer than a statement of a reader may take: a whole build is worth it. */
const PATIENCE_MS = 60_000
const PAUSE_MS = 200
/** The same where others had to wait while it was tried: they are let by first. */
const LET_BY_MS = 1000

/**
 * Does what needs a build to be at the end of the log or nearly so. What has to wait for a reader, a writer or the log is tried again
 * for a minute, and never makes anybody wait for that long.
 */
export async function nearTheEnd<T>(
  build: Build,
  goals: Goals,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    let pause = PAUSE_MS
    await closeIn(build, goals)
    try {
      return await work()
    } catch (error) {
      // An event that sets its stream aside does so when the build follows to it.
      const mayPass = error instanceof NotYet || isLockTimeout(error) || build.isOfStream(error)
      if (!mayPass || Date.now() > until) throw error
      if (isLockTimeout(error)) pause = LET_BY_MS
    }
    await delay(pause, undefined, { signal })
  }
}

/** Round after round takes what was appended during the one before, until that is little. */
export async function closeIn(build: Build, goals: Goals): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) if ((await build.follow(await goals())) <= FEW) return
}
