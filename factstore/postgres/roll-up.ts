import { sql, type Kysely } from 'kysely'
import { DIMENSIONS } from '#domain/delivery/batch'
import type { Db } from '#migrations/db'
import { groupingBit, groupingNumber, SUMS } from './columns.ts'
import { lockDays } from './day-lock.ts'
import { createMonths } from './months.ts'

/** When rollups pay: a campaign's day with few rows is summed from them as fast, and its rollups would take more room than it does. */
export type RollUpRules = {
  /** Fewest rows of a campaign and day that get rollups. */
  readonly fewestRows: number
  /** Most keys of a grouping, and fewest rows for each key; a grouping beyond is summed from rows. */
  readonly mostKeys: number
  readonly rowsPerKey: number
  /** How long a day must be over: its last hours are still being reported. */
  readonly overForMinutes: number
}
const RULES: RollUpRules = { fewestRows: 32, mostKeys: 1000, rowsPerKey: 8, overForMinutes: 120 }

/** Rows that one transaction sums: rows that come for its day wait for it. */
const ROWS_AT_ONCE = 200_000

/**
 * Sums days that are over, by campaign: hours, totals, and groupings. Rows of the day are added under the day's lock, which this
 * takes alone, so a campaign's day has rollups of all of its rows or none. A crash leaves the day unsummed, for the next round.
 */
export function createRollUp(db: Kysely<Db>, rules: RollUpRules = RULES) {
  const months = createMonths(db, ['hours', 'day_totals', 'day_groups'])

  /** Campaigns of a day that have enough rows and no rollups; all that lack some with `isLast`. */
  async function dueOwners(day: string, isLast: boolean): Promise<readonly { readonly owner: number; readonly rows: number }[]> {
    const { rows } = await sql<{ readonly owner: number; readonly rows: number }>`
      select r.owner, count(*)::int as rows from facts.rows r
      where ${inDay(day)} and not exists (
        select from facts.day_totals t
        where t.owner = r.owner and t.day = ${day}::date and (t.rows_removed or not ${sql.lit(isLast)} or t.wide = 0)
      )
      group by 1 having count(*) >= ${isLast ? 1 : rules.fewestRows} order by 1`.execute(db)
    return rows
  }

  async function sumDay(day: string, isLast = false): Promise<void> {
    await months.ensure([day])
    let owners: number[] = []
    let rows = 0
    const sumOwners = async () => {
      const now = owners
      ;[owners, rows] = [[], 0]
      await db.transaction().execute(async (tx) => {
        await lockDays(tx, [day], 'alone')
        await write(tx, { day, owners: now, rules: isLast ? EVERYTHING : rules })
      })
    }
    for (const due of await dueOwners(day, isLast)) {
      owners.push(due.owner)
      rows += due.rows
      if (rows >= ROWS_AT_ONCE) await sumOwners()
    }
    if (owners.length > 0) await sumOwners()
  }

  return {
    /** Sums one day that is over and has new rows. False when there is none. */
    async sumNext(): Promise<boolean> {
      const { rows: due } = await sql<{ readonly day: string }>`
        select day from facts.unsummed_days
        where day < ((now() - make_interval(mins => ${rules.overForMinutes})) at time zone 'UTC')::date
        order by day limit 1`.execute(db)
      const [next] = due
      if (next === undefined) return false
      await alone(next.day, (tx) =>
        tx.updateTable('facts.unsummed_days').set({ summing: true }).where('day', '=', next.day).execute(),
      )
      await sumDay(next.day)
      // Rows that came meanwhile have set the day back.
      await alone(next.day, (tx) =>
        tx.deleteFrom('facts.unsummed_days').where('day', '=', next.day).where('summing', '=', true).execute(),
      )
      return true
    },
    /** Sums whatever a day has, in every grouping: its rows are about to be removed. */
    sumForGood: (day: string) => sumDay(day, true),
  }

  function alone(day: string, work: (tx: Kysely<Db>) => Promise<unknown>): Promise<unknown> {
    return db.transaction().execute(async (tx) => {
      await lockDays(tx, [day], 'alone')
      return work(tx)
    })
  }
}

export type RollUp = ReturnType<typeof createRollUp>

const EVERYTHING: RollUpRules = { fewestRows: 1, mostKeys: 2 ** 31 - 1, rowsPerKey: 0, overForMinutes: 0 }

const inDay = (day: string) =>
  sql`r.hour >= ${`${day}T00:00:00Z`}::timestamptz and r.hour < ${`${day}T00:00:00Z`}::timestamptz + interval '24 hours'`

async function write(
  tx: Kysely<Db>,
  { day, owners, rules }: { readonly day: string; readonly owners: readonly number[]; readonly rules: RollUpRules },
): Promise<void> {
  const sums = sql.raw(SUMS.join(', '))
  const summed = sql.raw(SUMS.map((name) => `nullif(sum(${name}), 0)::bigint as ${name}`).join(', '))
  const groupings = sql.raw(
    DIMENSIONS.map((name) => `(${groupingNumber(name)}, ${groupingBit(name)}, r.${name}::int)`).join(', '),
  )
  const isOfDay = sql`owner = any(${owners}::int[]) and day = ${day}::date`
  await sql`delete from facts.day_totals where ${isOfDay}`.execute(tx)
  await sql`delete from facts.day_groups where ${isOfDay}`.execute(tx)
  await sql`delete from facts.hours r where owner = any(${owners}::int[]) and ${inDay(day)}`.execute(tx)
  await sql`
    with of_day as materialized (select * from facts.rows r where owner = any(${owners}::int[]) and ${inDay(day)}),
    hourly as (insert into facts.hours (owner, hour, ${sums}) select owner, hour, ${summed} from of_day group by 1, 2),
    groups as materialized (
      select owner, grouping, bit, key, count(*) as row_count, ${summed}
      from of_day r cross join lateral (values ${groupings}) as g(grouping, bit, key) group by 1, 2, 3, 4
    ),
    sizes as materialized (
      select owner, grouping, bit,
        count(*) > least(${rules.mostKeys}::bigint, sum(row_count) / greatest(1, ${rules.rowsPerKey}::int)) and ${rules.rowsPerKey}::int > 0 as is_wide
      from groups group by 1, 2, 3
    ),
    grouped as (
      insert into facts.day_groups (owner, grouping, day, key, ${sums})
      select g.owner, g.grouping, ${day}::date, g.key, ${sums}
      from groups g join sizes s using (owner, grouping) where not s.is_wide
    )
    insert into facts.day_totals (owner, day, wide, ${sums})
    select owner, ${day}::date, w.wide, ${summed}
    from of_day join (select owner, coalesce(bit_or(bit) filter (where is_wide), 0)::smallint as wide from sizes group by 1) w using (owner)
    group by owner, w.wide`.execute(tx)
}
