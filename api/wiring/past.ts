import { BUSY_MS } from '#platform/database/guarded-pool'
import type { Database } from '#platform/database/database'
import { createKysely, createPool } from '#platform/database/pool'
import { createPast, type Past } from '#projections/past/past'
import type { Needs } from '../areas/services.ts'

/** Reads of the past that go on at once in a process; more wait, and are refused as busy. */
const AT_ONCE = 2

/** Opens reads of the past, with connections of their own: each holds one for as long as it takes, and asks others meanwhile. */
export function openPast(
  { url, ping }: Pick<Database, 'url' | 'ping'>,
  { dataKey, store, logger, stops }: Needs<'dataKey' | 'logger' | 'stops' | 'store'>,
): Past {
  const pool = createPool(url, {
    max: AT_ONCE,
    applicationName: 'placard-past',
    busy: { afterMs: BUSY_MS, ping, onBusy: () => logger.warn('a read of the past was refused: two others were still going on') },
    onError: (error) => logger.warn({ err: error }, 'an idle connection for reads of the past was lost'),
  })
  stops.add(() => pool.end())
  return createPast({ db: createKysely(pool, { dataKey }), store })
}
