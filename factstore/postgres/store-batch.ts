import { CompiledQuery, sql, type Kysely } from 'kysely'
import type { Fact } from '#domain/delivery/batch'
import type { Db } from '#migrations/db'
import type { FactBatch } from '../fact-store.ts'
import { NAMED, ROW_COLUMNS, type NamedDimension } from './columns.ts'
import { lockDays } from './day-lock.ts'
import { createMonths } from './months.ts'
import { createNumbers } from './numbers.ts'
import { rowBytes } from './row-bytes.ts'

const COPY = `copy facts.rows (${ROW_COLUMNS.join(', ')}) from stdin (format binary)`

/**
 * Stores batches, each once. Rows go in by COPY; rollups follow when a day is over (`roll-up.ts`). What a batch adds to a day that has
 * rollups already takes them away from its campaigns in the same transaction, so that every sum is exact at every moment.
 */
export function createBatches(db: Kysely<Db>) {
  const months = createMonths(db, ['rows'])
  const numbers = createNumbers(db)

  async function insert(tx: Kysely<Db>, { id, facts }: FactBatch): Promise<void> {
    const days = [...new Set(facts.map(({ hour }) => hour.slice(0, 10)))].toSorted()
    const { rows: fresh } = await sql`
      insert into facts.batches (id) values (${id}) on conflict (id) do nothing returning id`.execute(tx)
    if (fresh.length === 0 || facts.length === 0) return
    await lockDays(tx, days, 'shared')
    await sql`
      insert into facts.unsummed_days (day)
      select day from unnest(${days}::date[]) as t(day)
      where not exists (select from facts.unsummed_days u where u.day = t.day and not u.summing)
      order by day on conflict (day) do update set summing = false`.execute(tx)
    const touched = new Map(
      facts.map((fact) => {
        const [owner, day] = [numbers.owner(fact), fact.hour.slice(0, 10)]
        return [`${owner} ${day}`, { owner, day }]
      }),
    )
    await removeRollups(tx, [...touched.values()])
    await tx.executeQuery(CompiledQuery.raw(COPY, [[rowBytes(facts, numbers)]]))
  }

  /** Prepares what `insert` must not make inside a transaction of others: numbers and partitions stay whatever it does. */
  async function prepare(facts: readonly Described[]): Promise<void> {
    await months.ensure(new Set(facts.map(({ hour }) => hour)))
    await numbers.learn(facts, NAMED)
  }

  return {
    prepare,
    insert,
    async store(batch: FactBatch): Promise<void> {
      await prepare(batch.facts)
      await db.transaction().execute((tx) => insert(tx, batch))
    },
  }
}
/** A fact without its sums. */
export type Described = Pick<Fact, 'hour' | 'campaign_id' | 'space_id' | 'whitelabel_id' | NamedDimension>
export type Batches = ReturnType<typeof createBatches>

type CampaignDay = { readonly owner: number; readonly day: string }

/** Takes the rollups of these campaigns and days away, but not of days whose rows are gone. Days that are not over have none. */
async function removeRollups(tx: Kysely<Db>, touched: readonly CampaignDay[]): Promise<void> {
  const { rows: summed } = await sql<CampaignDay>`
    select t.owner, t.day
    from (
      select owner, day from unnest(${touched.map(({ owner }) => owner)}::int[], ${touched.map(({ day }) => day)}::date[])
        as asked(owner, day)
      where day < (now() at time zone 'UTC')::date order by owner, day
    ) asked
    cross join lateral (
      select owner, day from facts.day_totals t
      where t.owner = asked.owner and t.day = asked.day and not t.rows_removed for update
    ) t`.execute(tx)
  if (summed.length === 0) return
  const of = sql`unnest(${summed.map(({ owner }) => owner)}::int[], ${summed.map(({ day }) => day)}::date[]) as late(owner, day)`
  await sql`delete from facts.day_totals t using ${of} where t.owner = late.owner and t.day = late.day`.execute(tx)
  await sql`delete from facts.day_groups t using ${of} where t.owner = late.owner and t.day = late.day`.execute(tx)
  await sql`
    delete from facts.hours t using ${of}
    where t.owner = late.owner and t.hour >= late.day::timestamp at time zone 'UTC'
      and t.hour < (late.day + 1)::timestamp at time zone 'UTC'`.execute(tx)
}
