import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** Any number; the second key is the day. */
const DAY_LOCK = 7_201

/**
 * Whoever adds rows to a day shares its lock until the end of the transaction; whoever writes its rollups has it alone. The lock must
 * be a statement of its own: the next one then sees what the other side committed. Days in order, so that nobody waits in a circle.
 */
export async function lockDays(tx: Kysely<Db>, days: readonly string[], mode: 'shared' | 'alone'): Promise<void> {
  const lock = sql.raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await sql`
    select ${lock}(${sql.lit(DAY_LOCK)}, day - date '2000-01-01')
    from (select day from unnest(${days}::date[]) as t(day) order by day) ordered`.execute(tx)
}
