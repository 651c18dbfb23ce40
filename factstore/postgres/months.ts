import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** Any number: processes that add a partition take the same lock, because two of them must not add it at once. */
const PARTITION_LOCK = 7_201_640

/** Old months are dropped: what was seen is looked up again after this time. */
const KNOWN_MS = 60_000

/** Partitioned tables, and what bounds their months: instants or days. */
const TABLES = { rows: 'hour', hours: 'hour', day_totals: 'day', day_groups: 'day' } as const
export const MONTHLY_TABLES = Object.keys(TABLES) as readonly MonthlyTable[]
export type MonthlyTable = keyof typeof TABLES

/** Partitions of tables, one for each UTC month. */
export function createMonths(db: Kysely<Db>, tables: readonly MonthlyTable[]) {
  /** When each month was seen. */
  const known = new Map<string, number>()
  return {
    /** Adds the partitions of these hours or days (ISO 8601) that are missing. */
    async ensure(periods: Iterable<string>): Promise<void> {
      const now = performance.now()
      const missing = new Set(
        [...periods].map((period) => period.slice(0, 7)).filter((month) => now - (known.get(month) ?? -Infinity) > KNOWN_MS),
      )
      for (const month of missing) {
        for (const table of tables) await addMonth(db, table, month)
        known.set(month, now)
      }
    },
  }
}

/** Attached, not created in place: that would wait for everybody who reads the table, and everybody else for it. */
async function addMonth(db: Kysely<Db>, table: MonthlyTable, month: string): Promise<void> {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const end = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10)
  const bound = (day: string) => sql.lit(TABLES[table] === 'hour' ? `${day}T00:00:00Z` : day)
  const name = `facts.${table}_${month.replace('-', '_')}`
  const [parent, partition] = [sql.table(`facts.${table}`), sql.table(name)]
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`.execute(tx)
    const { rows } = await sql`select 1 from pg_class where oid = to_regclass(${name})`.execute(tx)
    if (rows.length > 0) return
    await sql`create table ${partition} (like ${parent})`.execute(tx)
    await sql`alter table ${parent} attach partition ${partition} for values from (${bound(`${month}-01`)}) to (${bound(end)})`.execute(
      tx,
    )
  })
}
