import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import type { FactRetention } from '../fact-store.ts'
import { lockDays } from './day-lock.ts'
import type { RollUp } from './roll-up.ts'

/** A report that is being read holds its months: the next round tries again. */
const LOCK_TIMEOUT = '2s'
const LOCKED = '55P03'

/** Forgets old batch ids, and drops the oldest month of rows that is too old, once all of it is in rollups: they stay. */
export async function removeOldFacts(
  db: Kysely<Db>,
  rollUp: Pick<RollUp, 'sumForGood'>,
  { batchDays, rowMonths, limit }: FactRetention,
): Promise<void> {
  await sql`
    delete from facts.batches where id in (
      select id from facts.batches where stored_at < now() - make_interval(days => ${batchDays}) and id not like 'demo/%'
      order by stored_at limit ${limit}
    )`.execute(db)
  if (rowMonths === null) return
  const { rows } = await sql<{ readonly name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'facts.rows'::regclass
      and c.relname < to_char((now() at time zone 'UTC') - make_interval(months => ${rowMonths}), '"rows_"YYYY_MM')
    order by 1 limit 1`.execute(db)
  const [oldest] = rows
  if (oldest === undefined) return
  const month = oldest.name.slice('rows_'.length).replace('_', '-')
  const { rows: days } = await sql<{ readonly day: string }>`
    select distinct (hour at time zone 'UTC')::date as day from ${sql.table(`facts.${oldest.name}`)} order by 1`.execute(db)
  for (const { day } of days) await rollUp.sumForGood(day)
  const inMonth = sql`day >= ${`${month}-01`}::date and day < (${`${month}-01`}::date + interval '1 month')::date`
  await db
    .transaction()
    .execute(async (tx) => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
      await lockDays(
        tx,
        days.map(({ day }) => day),
        'alone',
      )
      // Rows that came meanwhile wait for the next round.
      const { rows: left } = await sql`
        select 1 from facts.unsummed_days u where ${inMonth} and exists (
          select from ${sql.table(`facts.${oldest.name}`)} r
          where r.hour >= u.day::timestamp at time zone 'UTC' and r.hour < (u.day + 1)::timestamp at time zone 'UTC'
            and not exists (select from facts.day_totals t where t.owner = r.owner and t.day = u.day and t.wide = 0)
        ) limit 1`.execute(tx)
      if (left.length > 0) return
      await sql`drop table ${sql.table(`facts.${oldest.name}`)}`.execute(tx)
      await sql`update facts.day_totals set rows_removed = true where ${inMonth}`.execute(tx)
      await sql`delete from facts.unsummed_days where ${inMonth}`.execute(tx)
    })
    .catch((error: unknown) => {
      if ((error as { readonly code?: unknown }).code !== LOCKED) throw error
    })
}
