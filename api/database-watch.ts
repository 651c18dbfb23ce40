import { isLostConnection } from '../eventstore/postgres/connection-loss.ts'
import type { Kit } from './kit/kit.ts'
import { watchOutside, type Outside } from './kit/outside.ts'

/**
 * Calls wait this long for PostgreSQL after it was found away, milliseconds: a restart or a freeze of 20 s causes no error, and
 * callers get an answer within 30 s.
 */
const WAIT_MS = 25_000

type WatchDeps = Pick<Kit, 'logger' | 'stops'> & { readonly ping: () => Promise<unknown>; readonly waitMs?: number | undefined }

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
