import {
  pointsByCampaign,
  type FactFilter,
  type FactGroups,
  type FactPage,
  type FactPoint,
  type FactSource,
  type FactStore,
  type FactSums,
} from '../fact-store.ts'
import type { ClickHouse, Params } from './clickhouse.ts'
import { conditionOf, isTime, TIME_KEYS } from './filters.ts'
import { storeBatch } from './store-batch.ts'
import { SUMS } from './tables.ts'

/** An alias with the name of its column would replace the column in the rest of the statement. */
const sums = SUMS.map((name) => `sum(${name}) as sum_${name}`).join(', ')
type SumRow = { readonly [sum in `sum_${(typeof SUMS)[number]}`]: string }

/**
 * Delivered facts in ClickHouse, on tables that `prepareTables` made. Every answer is a sum over the one table of rows; the engine
 * reads a rollup of the table where one holds what is asked. Closes `clickhouse`.
 */
export function createClickHouseFactStore(clickhouse: ClickHouse): FactStore {
  async function grouped(key: { readonly by: string; readonly text: string }, where: string, params: Params, page?: FactPage) {
    const rows = await clickhouse.query<SumRow & { readonly group_key: string; readonly total: string }>(
      `select ${key.text} as group_key, ${sums}, count() over () as total from facts where ${where}
       group by ${key.by} order by sum_spent desc, group_key
       ${page === undefined ? '' : 'limit {limit:UInt64} offset {offset:UInt64}'}`,
      { ...params, ...page },
    )
    return {
      rows: rows.map((row) => ({ key: row.group_key, sums: sumsOf(row) })),
      total: Number(rows[0]?.total ?? 0),
    } satisfies FactGroups
  }

  return {
    // A watch of the server knows: `api/wiring/fact-store.ts`.
    isAway: () => false,
    store: (batch) => storeBatch(clickhouse, batch),

    async totals(filter) {
      const { where, params } = conditionOf(filter, 'day')
      const [row] = await clickhouse.query<SumRow>(`select ${sums} from facts where ${where}`, params)
      return sumsOf(row)
    },

    async series(filter, step) {
      const { where, params, period } = conditionOf(filter, step)
      const start = step === 'hour' ? 'toStartOfHour(hour)' : period === 'day' ? `toDateTime(day, 'UTC')` : 'toStartOfDay(hour)'
      const rows = await clickhouse.query<SumRow & { readonly start: string }>(
        `select toUnixTimestamp(${start}) as start, ${sums} from facts where ${where} group by start order by start`,
        params,
      )
      return rows.map((row) => ({ start: Number(row.start) * 1000, sums: sumsOf(row) }))
    },

    groups(filter, grouping, page) {
      const { where, params, period } = conditionOf(filter, grouping === 'hour' ? 'hour' : 'day')
      const key = isTime(grouping)
        ? { by: 'group_key', text: TIME_KEYS[grouping](period) }
        : { by: grouping, text: `toString(${grouping})` }
      return grouped(key, where, params, page)
    },

    async *sources(filter) {
      const { where, params } = conditionOf(filter, 'day')
      const pages = clickhouse.stream<SumRow & Omit<FactSource, 'sums'>>(
        `select exchange, publisher, app_or_site, ${sums} from facts where ${where}
         group by exchange, publisher, app_or_site order by sum_spent desc, exchange, publisher, app_or_site`,
        params,
      )
      for await (const rows of pages)
        yield rows.map(({ exchange, publisher, app_or_site, ...row }) => ({
          exchange,
          publisher,
          app_or_site,
          sums: sumsOf(row),
        }))
    },

    byCampaign: (filter) => byCampaign(clickhouse, filter),
    daysByCampaign: (filter) => daysByCampaign(clickhouse, filter),
    close: () => clickhouse.close(),
  }
}

async function byCampaign(clickhouse: ClickHouse, filter: FactFilter): Promise<ReadonlyMap<string, FactSums>> {
  const { where, params } = conditionOf(filter, 'day')
  const rows = await clickhouse.query<SumRow & { readonly campaign_id: string }>(
    `select campaign_id, ${sums} from facts where ${where} group by campaign_id`,
    params,
  )
  return new Map(rows.map((row) => [row.campaign_id, sumsOf(row)]))
}

async function daysByCampaign(clickhouse: ClickHouse, filter: FactFilter): Promise<ReadonlyMap<string, readonly FactPoint[]>> {
  const { where, params, period } = conditionOf(filter, 'day')
  const start = period === 'day' ? `toDateTime(day, 'UTC')` : 'toStartOfDay(hour)'
  const rows = await clickhouse.query<SumRow & { readonly campaign_id: string; readonly start: string }>(
    `select campaign_id, toUnixTimestamp(${start}) as start, ${sums} from facts where ${where}
     group by campaign_id, start order by campaign_id, start`,
    params,
  )
  return pointsByCampaign(rows.map((row) => [row.campaign_id, { start: Number(row.start) * 1000, sums: sumsOf(row) }]))
}

const sumsOf = (row: SumRow | undefined): FactSums =>
  Object.fromEntries(SUMS.map((name) => [name, Number(row?.[`sum_${name}`] ?? 0)])) as unknown as FactSums
