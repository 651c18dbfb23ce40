import type { Pool } from 'pg'
import { watchOutside, type Outside } from '#commands/outside'
import { isLostConnection } from '#eventstore/postgres/connection-loss'
import { asAsker } from '#platform/database/lanes'
import type { Config } from '../config.ts'
import type { Wired } from '../areas/services.ts'

/** How often the archive is checked, milliseconds. PostgreSQL repeats a copy that failed after a minute. */
const ASK_EVERY_MS = 10_000
/** A copy that takes longer than this counts as failed, minutes: a network disk may never answer. */
const COPIED_WITHIN_MIN = 5

/** Watches the WAL archive of the embedded database; null without one. What is not archived stays in the database's own folder. */
export function watchArchive(
  { archive }: Pick<Config, 'archive'>,
  { pool, logger, stops }: Pick<Wired, 'logger' | 'stops'> & { readonly pool: Pool },
): Outside | null {
  if (archive === null) return null
  const outside = watchOutside({
    name: 'archive',
    ping: () => asAsker({ purpose: 'calls', account: null }, () => requireArchiving(pool)),
    isAbsence: () => true,
    isBusy: () => false,
    askEveryMs: ASK_EVERY_MS,
    answerWithinMs: () => ASK_EVERY_MS,
    whileAway: 'PostgreSQL keeps its WAL until it is back, which fills the disk of the database',
    logger,
  })
  stops.add(async () => outside.stop())
  return outside
}

/** Rejects while segments are not archived. */
async function requireArchiving(pool: Pool): Promise<void> {
  const { rows } = await pool
    .query<{ off: boolean; failing: boolean; late: boolean }>(
      `select current_setting('archive_mode') = 'off' as off,
        last_failed_time > coalesce(last_archived_time, '-infinity') as failing,
        exists (select from pg_ls_archive_statusdir()
          where name like '%.ready' and modification < now() - make_interval(mins => $1)) as late
      from pg_stat_archiver`,
      [COPIED_WITHIN_MIN],
    )
    .catch((error: unknown) => {
      // Another watch reports that PostgreSQL is away.
      if (isLostConnection(error)) return { rows: [] }
      throw error
    })
  const [found] = rows
  if (found?.off === true) throw new Error('the database was started without it: restart the product')
  if (found?.failing === true)
    throw new Error('PLACARD_PG_ARCHIVE takes no segment: see postgres.log in the folder of the database')
  if (found?.late === true) throw new Error(`PLACARD_PG_ARCHIVE takes longer than ${COPIED_WITHIN_MIN} min for a segment`)
}
