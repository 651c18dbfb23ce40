import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import type { FactRetention } from '../fact-store.ts'

/** A report that is being read holds its months: the next round tries again. */
const LOCK_TIMEOUT = '2s'
const LOCKED = '55P03'

/** Forgets old batch ids, and drops the oldest month of rows that is too old. Rollups stay. */
export async function removeOldFacts(db: Kysely<Db>, { batchDays, rowMonths, limit }: FactRetention): Promise<void> {
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
  await db
    .transaction()
    .execute(async (tx) => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
      await sql`drop table ${sql.table(`facts.${oldest.name}`)}`.execute(tx)
    })
    .catch((error: unknown) => {
      if ((error as { readonly code?: unknown }).code !== LOCKED) throw error
    })
}
