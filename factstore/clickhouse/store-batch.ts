import type { Fact } from '#domain/delivery/batch'
import type { FactBatch } from '../fact-store.ts'
import type { ClickHouse } from './clickhouse.ts'

/**
 * Stores a batch once. ClickHouse has no transaction over several statements, and the bidder's repeat and the policies may store the
 * same batch at once; so each step can be repeated, and each guards against one thing (`test/contract/fact-store.contract.ts`):
 * 1. A batch whose mark is stored is complete: repeats end here, also days later.
 * 2. A batch without a mark may be half stored by a process that crashed. The rows of a month are one block, which is stored whole or
 *    not at all, so one row proves its month. This holds for as long as the rows exist.
 * 3. Another process may insert the same month between 2 and 3. The engine compares the token when it stores the block, and drops
 *    the second one. It remembers the last 100,000 tokens.
 * 4. The mark comes last: before it, nothing claims that the batch is complete.
 */
export async function storeBatch(clickhouse: ClickHouse, { id, facts }: FactBatch): Promise<void> {
  const marks = await clickhouse.query('select 1 as marked from fact_batches where id = {id:String} limit 1', { id })
  if (marks.length > 0) return
  if (facts.length > 0) {
    const stored = await storedMonths(clickhouse, id, facts)
    for (const [month, own] of byMonth(facts))
      if (!stored.has(month)) await clickhouse.insert('facts', own.map(rowOf(id)), `${id} ${month}`)
  }
  await clickhouse.insert('fact_batches', [{ id }], id)
}

/** Months (YYYY-MM) of which this batch has rows. Names accounts, campaigns and hours so that the engine reads their ranges only. */
async function storedMonths(clickhouse: ClickHouse, id: string, facts: readonly Fact[]): Promise<ReadonlySet<string>> {
  const hours = facts.map(({ hour }) => secondsOf(hour)).toSorted((a, b) => a - b)
  const distinct = (key: 'space_id' | 'whitelabel_id' | 'campaign_id') => [...new Set(facts.map((fact) => fact[key]))]
  const rows = await clickhouse.query<{ readonly month: string }>(
    `select distinct formatDateTime(hour, '%Y-%m') as month from facts
     where whitelabel_id in {whitelabels:Array(String)} and space_id in {spaces:Array(String)}
       and campaign_id in {campaigns:Array(String)}
       and hour between toDateTime({first:UInt32}, 'UTC') and toDateTime({last:UInt32}, 'UTC') and batch_id = {id:String}`,
    {
      id,
      whitelabels: distinct('whitelabel_id'),
      spaces: distinct('space_id'),
      campaigns: distinct('campaign_id'),
      first: hours[0] ?? 0,
      last: hours.at(-1) ?? 0,
    },
  )
  return new Set(rows.map(({ month }) => month))
}

function byMonth(facts: readonly Fact[]): ReadonlyMap<string, readonly Fact[]> {
  const months = new Map<string, Fact[]>()
  for (const fact of facts) {
    const month = fact.hour.slice(0, 7)
    const own = months.get(month)
    if (own === undefined) months.set(month, [fact])
    else own.push(fact)
  }
  return months
}

const secondsOf = (hour: string): number => Date.parse(hour) / 1000

/** The billed spend is `spent` in the store. */
const rowOf =
  (batchId: string) =>
  ({ billed, ...fact }: Fact) => ({
    ...fact,
    spent: billed,
    hour: secondsOf(fact.hour),
    day: fact.hour.slice(0, 10),
    batch_id: batchId,
  })
