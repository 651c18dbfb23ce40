import type { Kysely } from 'kysely'
import type { EventStore } from '#eventstore/event-store'
import type { Tracer } from '#eventstore/tracer'
import type { Db } from '#migrations/db'
import type { BuildProgress } from './build-progress.ts'
import type { Leases } from './leases.ts'
import type { ReadModel } from './read-model.ts'
import type { HoldBack } from './runner.ts'

export type ProjectorDeps = {
  readonly db: Kysely<Db>
  /** For rebuilds, of a pool with `BUILD_LIMITS`; `db` by default. */
  readonly builds?: Kysely<Db>
  /** Address of the same database, for connections with a session of their own. */
  readonly url: string
  readonly store: EventStore
  readonly models: readonly ReadModel[]
  readonly leases: Leases
  readonly onError: (model: string, error: unknown) => void
  /** Reports a rebuild after every page that it has read. */
  readonly onBuild?: (model: string, progress: BuildProgress) => void
  /** Pauses before a failed event is retried, milliseconds; the last one repeats. */
  readonly retryMs?: readonly number[]
  /** The same for a failed build. */
  readonly retryBuildMs?: readonly number[]
  /** Awaited before each page of a read model; tests delay read models with it. */
  readonly holdBack?: HoldBack | undefined
  /** Pages are spans of the traces of their events. */
  readonly tracer?: Tracer
}
