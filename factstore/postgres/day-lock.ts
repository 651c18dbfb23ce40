import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** Any number; the second key is the day. */
const DAY_LOCK = 7_201

/**
 * Transactions that add rows to a day share its lock until they end; the one that writes its rollups takes it exclusively. The lock
 * must be its own statement: the next one then sees what the other side committed. Days are in order, against deadlocks.
 */
export async function lockDays(tx: Kysely<Db>, days: readonly string[], mode: 'shared' | 'alone'): Promise<void> {
  const lock = sql.raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await sql`
    select ${lock}(${sql.lit(DAY_LOCK)}, day - date '2000-01-01')
    from (select day from unnest(${days}::date[]) as t(day) order by day) ordered`.execute(tx)
}
