import type { Wired } from '../areas/services.ts'
import { isLostConnection, onShortage, type Shortage } from '#eventstore/postgres/connection-loss'
import { watchOutside, type Outside } from '#commands/outside'

/**
 * Calls wait this long for PostgreSQL after it was found away, milliseconds: a restart or a freeze of 20 s causes no error, and
 * callers get an answer within 30 s.
 */
const WAIT_MS = 25_000

/** A disk is full until nothing was refused for this long: its next write tells. */
const SHORT_FOR_MS = 30_000
/** How often the log repeats that PostgreSQL runs short of something. */
const REPEATED_AFTER_MS = 60_000
const SHORT_OF: Readonly<Record<Shortage, string>> = {
  connections:
    'DATABASE_URL: PostgreSQL has no free connection: raise its max_connections, or lower PLACARD_POOL_CALLS, PLACARD_POOL_REPORTS, PLACARD_POOL_PROJECTOR and PLACARD_POOL_POLICIES',
  disk: 'DATABASE_URL: the disk of PostgreSQL is full: writes answer 503 until it has space',
}

type WatchDeps = Pick<Wired, 'logger' | 'stops'> & { readonly ping: () => Promise<unknown>; readonly waitMs?: number | undefined }

/** Watches PostgreSQL. Its queries are not limited by the watch: calls wait, and what fails is answered with 503 (envelope.ts). */
export function watchDatabase({ ping, waitMs = WAIT_MS, logger, stops }: WatchDeps): Outside {
  const outside = watchOutside({
    name: 'PostgreSQL',
    ping,
    isAbsence: isLostConnection,
    isBusy: () => false,
    waitMs,
    whileAway: `Calls wait for it for up to ${Math.round(waitMs / 1000)} s and then answer 503`,
    logger,
  })
  stops.add(async () => outside.stop())
  return outside
}

/** Resources that PostgreSQL runs short of while it is there. Health names them, and metrics count them. */
export type Shortages = {
  readonly health: readonly Pick<Outside, 'name' | 'isAway'>[]
  /** How often a query was refused for want of it. */
  readonly counts: ReadonlyMap<Shortage, number>
}

/** Notes queries that PostgreSQL refuses for want of connections or disk: a line a minute for each, not one a query. */
export function watchShortages({ logger, stops }: Pick<Wired, 'logger' | 'stops'>): Shortages {
  const counts = new Map<Shortage, number>([
    ['connections', 0],
    ['disk', 0],
  ])
  const last = new Map<Shortage, number>()
  const reported = new Map<Shortage, number>()
  const stop = onShortage((shortage) => {
    const at = Date.now()
    counts.set(shortage, (counts.get(shortage) ?? 0) + 1)
    last.set(shortage, at)
    if (at - (reported.get(shortage) ?? -Infinity) < REPEATED_AFTER_MS) return
    reported.set(shortage, at)
    logger.error(SHORT_OF[shortage])
  })
  stops.add(async () => stop())
  const isShort = (shortage: Shortage) => Date.now() - (last.get(shortage) ?? -Infinity) < SHORT_FOR_MS
  const health = (['connections', 'disk'] as const).map((shortage) => ({
    name: `PostgreSQL ${shortage}`,
    isAway: () => isShort(shortage),
  }))
  return { health, counts }
}
