import { sql, type Kysely, type RawBuilder } from 'kysely'
import { DIMENSIONS, MEASURES, type Fact } from '#domain/delivery/batch'
import type { Db } from '#migrations/db'
import {
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
import { createMonths } from './months.ts'
import { removeOldFacts } from './retention.ts'

const SUMS = [...MEASURES, 'spent', 'overdelivered'] as const
type SumRow = { readonly [sum in (typeof SUMS)[number]]: bigint | null }

/** Groupings that have a daily rollup; everything else is summed from rollups of a campaign's whole period, or from rows. */
const ROLLED_UP = DIMENSIONS
/** Sources sent per page of a CSV file. */
const SOURCES_AT_ONCE = 1000

/**
 * Delivered facts in PostgreSQL (the default). Rows by month, rollups by campaign, period and grouping: sums over whole UTC days read
 * daily rollups, sums over hours read hourly ones, and combinations of filters read rows. Does not own `db`.
 */
export function createPostgresFactStore(db: Kysely<Db>): FactStore {
  const months = createMonths(db)

  /** Where sums of this filter come from: a rollup where one holds exactly them. */
  function sourceOf(filter: FactFilter, step: 'hour' | 'day', grouping: 'total' | (typeof ROLLED_UP)[number] = 'total'): Source {
    const filters = [
      ['device_type_key', filter.deviceTypeKey],
      ['size', filter.size],
      ['publisher', filter.publisher],
    ].filter((pair): pair is [(typeof ROLLED_UP)[number], string | number] => pair[1] !== null && pair[1] !== undefined)
    const [only] = filters
    const rolledUp =
      filters.length === 0
        ? { grouping, key: null }
        : filters.length === 1 && only !== undefined && grouping === 'total'
          ? { grouping: only[0], key: String(only[1]) }
          : null
    const isHourly = step === 'hour' || !hasWholeDays(filter)
    if (rolledUp === null || (isHourly && rolledUp.grouping !== 'total'))
      return { table: 'rows', period: sql.ref('hour'), where: and(inScope(filter), within(filter, 'hour'), matching(filter)) }
    const key = rolledUp.key === null ? sql`true` : sql`key = ${rolledUp.key}`
    return {
      table: isHourly ? 'hours' : 'days',
      period: isHourly ? sql.ref('period') : sql`(period::timestamp at time zone 'UTC')`,
      where: and(
        inScope(filter),
        sql`grouping = ${rolledUp.grouping}`,
        key,
        isHourly ? within(filter, 'period') : withinDays(filter),
      ),
    }
  }

  const sums = sql.join(SUMS.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`))
  const from = (source: Source) => sql`from ${sql.table(`facts.${source.table}`)} where ${source.where}`

  async function grouped(key: Fragment, source: Source, page: FactPage | undefined): Promise<FactGroups> {
    // The keys of the page are found by one sum; the others are summed for these keys only. With a million keys that halves the time.
    const { rows } = await sql<SumRow & { readonly group_key: string; readonly total: bigint }>`
      with page as materialized (
        select ${key} as group_key, count(*) over () as total ${from(source)}
        group by 1 order by sum(spent) desc, 1 limit ${page?.limit ?? null} offset ${page?.offset ?? 0}
      )
      select group_key, ${sums}, min(total) as total
      from (select ${key} as group_key, ${sql.raw(SUMS.join(', '))} ${from(source)}) as matching join page using (group_key)
      group by 1 order by sum(spent) desc, 1`.execute(db)
    return {
      rows: rows.map((row) => ({ key: row.group_key, sums: sumsOf(row) })),
      total: rows[0] === undefined ? 0 : Number(rows[0].total),
    }
  }

  return {
    // Without its database nothing of the product works.
    isAway: () => false,

    async store({ id, facts }) {
      await months.ensure(facts.map(({ hour }) => hour))
      await db.transaction().execute(async (tx) => {
        const { rows: fresh } = await sql`
          insert into facts.batches (id) values (${id}) on conflict (id) do nothing returning id`.execute(tx)
        if (fresh.length > 0 && facts.length > 0) await insert(tx, facts)
      })
    },

    async totals(filter) {
      const { rows } = await sql<SumRow>`select ${sums} ${from(sourceOf(filter, 'day'))}`.execute(db)
      return sumsOf(rows[0])
    },

    async series(filter, step) {
      const source = sourceOf(filter, step)
      const { rows } = await sql<SumRow & { readonly start: number }>`
        select extract(epoch from date_trunc(${step}, ${source.period}, 'UTC'))::float8 * 1000 as start, ${sums} ${from(source)}
        group by 1 order by 1`.execute(db)
      return rows.map((row) => ({ start: row.start, sums: sumsOf(row) }))
    },

    groups(filter, grouping, page) {
      if (isTime(grouping)) {
        const source = sourceOf(filter, grouping === 'hour' ? 'hour' : 'day')
        return grouped(timeKey(grouping, source.period), source, page)
      }
      if (grouping === 'space_id' || grouping === 'campaign_id') return grouped(sql.ref(grouping), sourceOf(filter, 'day'), page)
      const source = sourceOf(filter, 'day', grouping)
      return grouped(source.table === 'rows' ? sql`${sql.ref(grouping)}::text` : sql.ref('key'), source, page)
    },

    async *sources(filter) {
      const where = and(inScope(filter), within(filter, 'hour'), matching(filter))
      // A cursor: the groups are made once, and the file that is written from them may be long.
      const tx = await db.startTransaction().execute()
      try {
        await sql`
          declare sources no scroll cursor for
          select exchange, publisher, app_or_site, ${sums} from facts.rows where ${where}
          group by 1, 2, 3 order by sum(spent) desc, 1, 2, 3`.execute(tx)
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
        select campaign_id, ${sums} ${from(sourceOf(filter, 'day'))} group by 1`.execute(db)
      return new Map(rows.map((row) => [row.campaign_id, sumsOf(row)]))
    },

    removeOld: (retention) => removeOldFacts(db, retention),

    close: async () => undefined,
  }
}

type Fragment = RawBuilder<unknown>
type Source = { readonly table: 'rows' | 'hours' | 'days'; readonly period: Fragment; readonly where: Fragment }

const and = (...conditions: readonly Fragment[]): Fragment => sql.join(conditions, sql` and `)

function inScope({ scope }: FactFilter): Fragment {
  switch (scope.kind) {
    case 'all':
      return sql`true`
    case 'whitelabel':
      return sql`whitelabel_id = ${scope.id}`
    case 'spaces':
      return sql`space_id = any(${scope.ids})`
    case 'campaigns':
      return sql`campaign_id = any(${scope.ids})`
  }
}

const within = ({ from, to }: FactFilter, column: 'hour' | 'period'): Fragment =>
  and(
    from === null ? sql`true` : sql`${sql.ref(column)} >= ${from}::timestamptz`,
    to === null ? sql`true` : sql`${sql.ref(column)} < ${to}::timestamptz`,
  )

const withinDays = ({ from, to }: FactFilter): Fragment =>
  and(
    from === null ? sql`true` : sql`period >= ${from.slice(0, 10)}::date`,
    to === null ? sql`true` : sql`period < ${endOf(to).slice(0, 10)}::date`,
  )

const matching = ({ deviceTypeKey, size, publisher }: FactFilter): Fragment =>
  and(
    deviceTypeKey === null || deviceTypeKey === undefined ? sql`true` : sql`device_type_key = ${deviceTypeKey}`,
    size === null || size === undefined ? sql`true` : sql`size = ${size}`,
    publisher === null || publisher === undefined ? sql`true` : sql`publisher = ${publisher}`,
  )

const HOUR_MS = 3_600_000

/** The bound in full hours: a fact belongs to an hour that starts before `to`. */
const endOf = (to: string): string => new Date(Math.ceil(Date.parse(to) / HOUR_MS) * HOUR_MS).toISOString()

const isMidnight = (instant: string): boolean => Date.parse(instant) % (24 * HOUR_MS) === 0

/** True when the filter covers whole UTC days. */
const hasWholeDays = ({ from, to }: FactFilter): boolean =>
  (from === null || isMidnight(from)) && (to === null || isMidnight(endOf(to)))

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

const timeKey = (grouping: TimeGrouping, period: Fragment): Fragment =>
  sql`to_char(${period} at time zone 'UTC', ${FORMATS[grouping]})`

const sumsOf = (row: SumRow | undefined): FactSums =>
  Object.fromEntries(SUMS.map((name) => [name, Number(row?.[name] ?? 0)])) as unknown as FactSums

/** Rows and rollups in one statement. Rollups are written in order of their keys, so that concurrent batches cannot deadlock. */
async function insert(db: Kysely<Db>, facts: readonly Fact[]): Promise<void> {
  const columns = sql.raw(['hour', 'space_id', 'whitelabel_id', 'campaign_id', ...DIMENSIONS, ...SUMS].join(', '))
  const typed = sql.raw(
    [
      'hour timestamptz, space_id text, whitelabel_id text, campaign_id text',
      ...DIMENSIONS.map((name) => `${name} ${name === 'device_type_key' ? 'smallint' : 'text'}`),
      ...SUMS.map((name) => `${name} bigint`),
    ].join(', '),
  )
  const groupings = sql.raw([`('total', '')`, ...ROLLED_UP.map((name) => `('${name}', ${name}::text)`)].join(', '))
  const added = (table: string) => sql.raw(SUMS.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', '))
  const summed = sql.raw(SUMS.map((name) => `sum(${name})`).join(', '))
  const text = JSON.stringify(facts.map(({ billed, ...fact }) => ({ ...fact, spent: billed })))
  await sql`
    with facts as materialized (select ${columns} from json_to_recordset(${text}::json) as f(${typed})),
    stored as (insert into facts.rows (${columns}) select ${columns} from facts),
    hourly as (
      insert into facts.hours (campaign_id, space_id, whitelabel_id, grouping, period, key, ${sql.raw(SUMS.join(', '))})
      select campaign_id, space_id, whitelabel_id, 'total', hour, '', ${summed} from facts
      group by 1, 2, 3, 5 order by 1, 5
      on conflict (campaign_id, grouping, period, key) do update set ${added('hours')}
    )
    insert into facts.days (campaign_id, space_id, whitelabel_id, grouping, period, key, ${sql.raw(SUMS.join(', '))})
    select campaign_id, space_id, whitelabel_id, g.grouping, (hour at time zone 'UTC')::date, g.key, ${summed}
    from facts cross join lateral (values ${groupings}) as g(grouping, key)
    group by 1, 2, 3, 4, 5, 6 order by 1, 4, 5, 6
    on conflict (campaign_id, grouping, period, key) do update set ${added('days')}`.execute(db)
}
