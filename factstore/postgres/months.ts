import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** Any number: processes that add a partition take the same lock, because two of them must not add it at once. */
const PARTITION_LOCK = 7_201_640

/** Partitions of the rows, one for each UTC month. */
export function createMonths(db: Kysely<Db>) {
  const known = new Set<string>()
  return {
    /** Adds the partitions of these hours (ISO 8601) that are missing. */
    async ensure(hours: readonly string[]): Promise<void> {
      const missing = new Set(hours.map((hour) => hour.slice(0, 7)).filter((month) => !known.has(month)))
      for (const month of missing) {
        const [year = 0, number = 0] = month.split('-').map(Number)
        const end = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10)
        await db.transaction().execute(async (tx) => {
          await sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`.execute(tx)
          await sql`
            create table if not exists ${sql.table(`facts.rows_${month.replace('-', '_')}`)} partition of facts.rows
            for values from (${sql.lit(`${month}-01T00:00:00Z`)}) to (${sql.lit(`${end}T00:00:00Z`)})`.execute(tx)
        })
        known.add(month)
      }
    },
  }
}
