import type { EventStore } from '#eventstore/event-store'
import type { Projector } from './projector/projector.ts'

/**
 * Thrown when the read models have not reached the required position before the timeout: 503 with Retry-After
 * (running.md "The wire").
 */
export class ReadModelsBehind extends Error {
  constructor() {
    super('read models are behind')
    this.name = 'ReadModelsBehind'
  }
}

export type CatchUpOptions = {
  /** The end of the log by default. */
  readonly position?: bigint
  /** How long to wait, milliseconds. */
  readonly withinMs?: number
}

/** Resolves once these read models, or all, have reached the position. @throws {ReadModelsBehind} */
export type CatchUp = (models: readonly string[] | 'all', options?: CatchUpOptions) => Promise<void>

/** How long a reader waits for read models to reach its position, milliseconds (running.md "The wire"). */
export const READ_TIMEOUT_MS = 2000

export const createCatchUp =
  (store: Pick<EventStore, 'head'>, { reached }: Pick<Projector, 'reached'>): CatchUp =>
  async (models, { position, withinMs = READ_TIMEOUT_MS } = {}) => {
    if (!(await reached(position ?? (await store.head()), withinMs, models === 'all' ? undefined : models)))
      throw new ReadModelsBehind()
  }
