import { sql, type Kysely } from 'kysely'
import type { EventStore, Page, Subscription } from '../../eventstore/event-store.ts'
import { applyPage, noteFailure, Overtaken } from './checkpoint.ts'
import { dropRetired, ensureLive, liveGeneration, rebuildBeside } from './generations.ts'
import type { Generation, ReadModel } from './read-model.ts'

export type ProjectorDeps = {
  readonly db: Kysely<never>
  readonly store: EventStore
  readonly models: readonly ReadModel[]
  readonly onError: (model: string, error: unknown) => void
  /** Pause before a failed event is tried again, milliseconds; the last one repeats. */
  readonly retryMs?: readonly number[]
}

export type Projector = {
  /** True once every read model has reached the position; false when `milliseconds` pass before. */
  readonly reached: (position: bigint, milliseconds: number) => Promise<boolean>
  /** Names of the read models that are more than a second behind the log. */
  readonly unready: () => Promise<readonly string[]>
  readonly stop: () => Promise<void>
}

type Runner = { readonly model: ReadModel; position: () => bigint; stop: () => Promise<void> }

const RETRY_MS = [50, 250, 1000, 5000] as const

/**
 * Keeps every read model up with the log. An event that cannot be applied stops its read model and nobody else's: the rows
 * before it stay readable, the reason stands in es.subscriptions, and the event is tried again for as long as it takes.
 */
export async function startProjector({ db, store, models, onError, retryMs = RETRY_MS }: ProjectorDeps): Promise<Projector> {
  const waiting = new Set<() => void>()
  const moved = () => {
    for (const look of waiting) look()
  }
  const runners: Runner[] = []
  for (const model of models) runners.push(await startRunner(model))

  async function startRunner(model: ReadModel): Promise<Runner> {
    let at = await ensureLive(db, model)
    // An older process that restarts beside a newer one must not build backwards.
    if (at.version < model.version) at = await rebuildBeside(db, store, model)
    await dropRetired(db, model.name)
    let stopped = false
    let subscription: Subscription | null = null
    let recovering: Promise<void> = Promise.resolve()
    let pause: { readonly end: () => void } | null = null

    const follow = () => {
      subscription = store.subscribe({
        after: at.position,
        onPage: (page) => project(page),
        onError: (error) => {
          recovering = recover(error)
        },
      })
    }

    async function project(page: Page): Promise<void> {
      await applyPage(db, model, at, page)
      at = { ...at, position: page.upTo }
      moved()
    }

    /** After any failure the checkpoint is read again, and the page that failed is gone through one event at a time. */
    async function recover(error: unknown): Promise<void> {
      for (let failures = 0; !stopped; failures++) {
        if (!(error instanceof Overtaken)) onError(model.name, error)
        try {
          at = (await liveGeneration(db, model.name)) ?? at
          moved()
          if (!(error instanceof Overtaken)) await oneByOne()
          if (!stopped) follow()
          return
        } catch (again) {
          error = again
          await sleep(retryMs[Math.min(failures, retryMs.length - 1)] ?? 1000)
        }
      }
    }

    async function oneByOne(): Promise<void> {
      const page = await store.readAll(at.position, 500)
      for (const event of page.events) {
        try {
          await project({ events: [event], upTo: event.position })
        } catch (error) {
          if (!(error instanceof Overtaken)) await noteFailure(db, at, event.position, error).catch(() => undefined)
          throw error
        }
      }
    }

    const sleep = (milliseconds: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        pause = {
          end: () => {
            clearTimeout(timer)
            resolve()
          },
        }
      })

    follow()
    return {
      model,
      position: () => at.position,
      stop: async () => {
        stopped = true
        pause?.end()
        await recovering
        await subscription?.stop()
      },
    }
  }

  const lowest = () =>
    runners.reduce<bigint | null>(
      (least, runner) => (least === null || runner.position() < least ? runner.position() : least),
      null,
    )

  function reached(position: bigint, milliseconds: number): Promise<boolean> {
    if ((lowest() ?? position) >= position) return Promise.resolve(true)
    return new Promise((resolve) => {
      const end = (answer: boolean) => {
        clearTimeout(timer)
        waiting.delete(look)
        resolve(answer)
      }
      const look = () => {
        if ((lowest() ?? position) >= position) end(true)
      }
      const timer = setTimeout(() => end(false), milliseconds)
      waiting.add(look)
    })
  }

  return {
    reached,
    async unready() {
      const head = await store.head()
      if (await reached(head, 1000)) return []
      return runners.filter((runner) => runner.position() < head).map(({ model }) => model.name)
    },
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()))
    },
  }
}

/** Where every live read model stands, for processes that run no projector themselves. */
export async function lowestCheckpoint(db: Kysely<never>, models: readonly ReadModel[]): Promise<bigint> {
  const { rows } = await sql<Pick<Generation, 'position'>>`
    select position from es.subscriptions where status = 'live' and name = any(${models.map(({ name }) => name)})`.execute(db)
  if (rows.length < models.length) return 0n
  return rows.reduce((least, { position }) => (position < least ? position : least), rows[0]?.position ?? 0n)
}

/** The same waiting for a process without a projector: it asks the checkpoints in the database. */
export function watchCheckpoints(db: Kysely<never>, store: EventStore, models: readonly ReadModel[]): Projector {
  const reached = async (position: bigint, milliseconds: number) => {
    const end = Date.now() + milliseconds
    while ((await lowestCheckpoint(db, models)) < position) {
      if (Date.now() > end) return false
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return true
  }
  return {
    reached,
    unready: async () => ((await reached(await store.head(), 1000)) ? [] : ['projections']),
    stop: async () => {},
  }
}
