import { sql, type Kysely } from 'kysely'
import { type Dimension } from '#domain/delivery/batch'
import type { Db } from '#migrations/db'
import {
  pointsByCampaign,
  TIME_GROUPINGS,
  type FactFilter,
  type FactGroups,
  type FactPage,
  type FactSource,
  type FactStore,
  type FactSums,
  type Grouping,
  type TimeGrouping,
} from '../fact-store.ts'
import { SUMS } from './columns.ts'
import { partsOf, type By, type Fragment } from './parts.ts'
import { removeOldFacts } from './retention.ts'
import { createRollUp, type RollUpRules } from './roll-up.ts'
import { createBatches, type Batches } from './store-batch.ts'

type SumRow = { readonly [sum in (typeof SUMS)[number]]: bigint }

/** The same database stores batches within a transaction of others. */
export type PostgresFactStore = FactStore & { readonly batches: Batches }

/** Sources sent per page of a CSV file. */
const SOURCES_AT_ONCE = 1000

const sums = sql.raw(SUMS.map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(', '))

/**
 * Delivered facts in PostgreSQL (the default): rows by month, and rollups of a campaign's days where they pay (`roll-up.ts`). Every
 * answer is the sum of rollups and of the rows that are in none (`parts.ts`). Does not own `db`.
 */
export function createPostgresFactStore(db: Kysely<Db>, rules?: RollUpRules): PostgresFactStore {
  const batches = createBatches(db)
  const rollUp = createRollUp(db, rules)

  /** Sums by a key, which `label` makes of a sum's key. */
  async function grouped(filter: FactFilter, by: By, key: Key, page: FactPage | undefined): Promise<FactGroups> {
    const { offset = 0, limit = null } = page ?? {}
    // With ties: those of the last place are ordered by their names, which are looked up for the page alone.
    const { rows } = await sql<SumRow & { readonly group_key: string; readonly total: bigint }>`
      with ${partsOf(filter, by)},
      keys as (select ${key.of} as key, ${sums} from parts ${key.join} group by 1),
      page as (
        select *, count(*) over () as total from keys order by spent desc
        ${limit === null ? sql`` : sql`fetch first ${sql.lit(offset + limit)} rows with ties`}
      )
      select ${key.label} as group_key, page.* from page ${key.naming} order by spent desc, 1 limit ${limit} offset ${offset}`.execute(
      db,
    )
    return {
      rows: rows.map((row) => ({ key: row.group_key, sums: sumsOf(row) })),
      total: rows[0] === undefined ? 0 : Number(rows[0].total),
    }
  }

  return {
    // Without its database nothing of the product works.
    isAway: () => false,

    store: (batch) => batches.store(batch),
    batches,

    async totals(filter) {
      const { rows } = await sql<SumRow>`with ${partsOf(filter, { step: 'day' })} select ${sums} from parts`.execute(db)
      return sumsOf(rows[0])
    },

    async series(filter, step) {
      const { rows } = await sql<SumRow & { readonly start: number }>`
        with ${partsOf(filter, { step })}
        select extract(epoch from date_trunc(${step}, period, 'UTC'))::float8 * 1000 as start, ${sums} from parts
        group by 1 order by 1`.execute(db)
      return rows.map((row) => ({ start: row.start, sums: sumsOf(row) }))
    },

    groups(filter, grouping, page) {
      if (isTime(grouping)) return grouped(filter, { step: grouping === 'hour' ? 'hour' : 'day' }, timeKey(grouping), page)
      if (grouping === 'space_id' || grouping === 'campaign_id') return grouped(filter, { step: 'day' }, ownerKey(grouping), page)
      return grouped(filter, { step: 'day', dimension: grouping }, dimensionKey(grouping), page)
    },

    async *sources(filter) {
      // A cursor: the groups are made once, and the file that is written from them may be long.
      const tx = await db.startTransaction().execute()
      try {
        await sql`
          declare sources no scroll cursor for
          with ${partsOf(filter, { step: 'hour', columns: ['exchange', 'publisher', 'app_or_site'] })},
          grouped as (select exchange, publisher, app_or_site, ${sums} from parts group by 1, 2, 3)
          select e.name as exchange, p.name as publisher, a.name as app_or_site, ${sql.raw(SUMS.join(', '))}
          from grouped
          join facts.names e on e.id = exchange join facts.names p on p.id = publisher join facts.names a on a.id = app_or_site
          order by spent desc, 1, 2, 3`.execute(tx)
        for (;;) {
          const { rows } = await sql<SumRow & Omit<FactSource, 'sums'>>`fetch ${sql.lit(SOURCES_AT_ONCE)} from sources`.execute(
            tx,
          )
          if (rows.length === 0) return
          yield rows.map(({ exchange, publisher, app_or_site, ...row }) => ({
            exchange,
            publisher,
            app_or_site,
            sums: sumsOf(row),
          }))
        }
      } finally {
        await tx.rollback().execute()
      }
    },

    async byCampaign(filter) {
      const { rows } = await sql<SumRow & { readonly campaign_id: string }>`
        with ${partsOf(filter, { step: 'day' })}
        select campaign_id, ${sums} from parts join own on own.id = parts.owner group by 1`.execute(db)
      return new Map(rows.map((row) => [row.campaign_id, sumsOf(row)]))
    },

    async daysByCampaign(filter) {
      const { rows } = await sql<SumRow & { readonly campaign_id: string; readonly start: number }>`
        with ${partsOf(filter, { step: 'day' })}
        select campaign_id, extract(epoch from date_trunc('day', period, 'UTC'))::float8 * 1000 as start, ${sums}
        from parts join own on own.id = parts.owner group by 1, 2 order by 1, 2`.execute(db)
      return pointsByCampaign(rows.map((row) => [row.campaign_id, { start: row.start, sums: sumsOf(row) }]))
    },

    rollUp: () => rollUp.sumNext(),
    removeOld: (retention) => removeOldFacts(db, rollUp, retention),

    close: async () => undefined,
  }
}

/** How a grouping is computed: the key of a part, and its text. */
type Key = { readonly of: Fragment; readonly join: Fragment; readonly label: Fragment; readonly naming: Fragment }

const ownerKey = (column: 'space_id' | 'campaign_id'): Key => ({
  of: sql.ref(`own.${column}`),
  join: sql`join own on own.id = parts.owner`,
  label: sql`key`,
  naming: sql``,
})

const dimensionKey = (dimension: Dimension): Key =>
  dimension === 'device_type_key'
    ? { of: sql`key`, join: sql``, label: sql`key::text collate "C"`, naming: sql`` }
    : { of: sql`key`, join: sql``, label: sql`n.name`, naming: sql`join facts.names n on n.id = page.key` }

const isTime = (grouping: Grouping): grouping is TimeGrouping => (TIME_GROUPINGS as readonly Grouping[]).includes(grouping)

const FORMATS: Readonly<Record<TimeGrouping, string>> = {
  year: 'YYYY',
  quarter: 'YYYY-"Q"Q',
  month: 'YYYY-MM',
  week: 'IYYY-"W"IW',
  day: 'YYYY-MM-DD',
  day_of_week: 'ID',
  hour: 'HH24',
}

const timeKey = (grouping: TimeGrouping): Key => ({
  of: sql`to_char(period at time zone 'UTC', ${sql.lit(FORMATS[grouping])})`,
  join: sql``,
  label: sql`key collate "C"`,
  naming: sql``,
})

const sumsOf = (row: SumRow | undefined): FactSums =>
  Object.fromEntries(SUMS.map((name) => [name, Number(row?.[name] ?? 0)])) as unknown as FactSums
