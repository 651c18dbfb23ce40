import { sql, type RawBuilder } from 'kysely'
import type { Dimension } from '#domain/delivery/batch'
import type { FactFilter } from '../fact-store.ts'
import { groupingBit, groupingNumber, SUMS } from './columns.ts'
import { digestOf } from './numbers.ts'

export type Fragment = RawBuilder<unknown>

/** Keys of sums. */
export type By = {
  /** The period that is needed: instants of hours, or of UTC days. */
  readonly step: 'hour' | 'day'
  /** The dimension whose keys are needed. */
  readonly dimension?: Dimension
  /** Further dimensions, which only rows have. */
  readonly columns?: readonly Dimension[]
}

/**
 * Common table expressions whose last one, `parts`, has what a filter covers: owner, period, key and sums. Each fact is in one of its
 * rows: in a rollup of its campaign's day where there is one that holds exactly what is asked, else as a row. `own` are the owners.
 */
export function partsOf(filter: FactFilter, by: By): Fragment {
  const { from, to } = filter
  const days = { first: from === null ? '-infinity' : dayOf(from), end: to === null ? 'infinity' : dayAfter(to) }
  const rolledUp = rollupFor(filter, by)
  const sums = sql.raw(SUMS.join(', '))
  const columns = sql.raw((by.columns ?? []).map((name) => `${name}, `).join(''))
  const key = by.dimension === undefined ? sql`null::int` : sql`${sql.ref(by.dimension)}::int`
  const fromRollup =
    rolledUp === null
      ? sql``
      : sql`
        select t.owner, ${rolledUp.period} as period, ${rolledUp.key} as key, ${sums}
        from own join facts.${sql.raw(rolledUp.table)} t on t.owner = own.id
        where ${rolledUp.where(days)} union all`
  const gaps =
    rolledUp === null
      ? sql`select id as owner, ${days.first}::date as first, ${days.end}::date as next from own`
      : sql`
        select owner, day + 1 as first, next
        from (
          select owner, day, lead(day) over (partition by owner order by day) as next
          from (
            select t.owner, t.day from facts.day_totals t join own on own.id = t.owner
            where t.day >= ${days.first}::date and t.day < ${days.end}::date and not t.rows_removed and ${rolledUp.isSummed}
            union all select id, ${days.first}::date - 1 from own
            union all select id, ${days.end}::date from own
          ) as summed
        ) as following
        where next > day + 1`
  // The fence makes the server look each stretch up by its owner and hours, whatever it believes about their number.
  return sql`
    own as materialized (select id, campaign_id, space_id from facts.owners where ${inScope(filter)}),
    gaps as materialized (${gaps}),
    parts as (${fromRollup}
      select r.owner, r.hour as period, r.key, ${columns}${sums}
      from gaps cross join lateral (
        select owner, hour, ${key} as key, ${columns}${sums} from facts.rows
        where owner = gaps.owner
          and hour >= gaps.first::timestamp at time zone 'UTC' and hour < gaps.next::timestamp at time zone 'UTC'
          and ${within(filter)} and ${matching(filter)}
        offset 0
      ) r
    )`
}

type Rollup = {
  readonly table: 'hours' | 'day_totals' | 'day_groups'
  readonly period: Fragment
  readonly key: Fragment
  readonly where: (days: { readonly first: string; readonly end: string }) => Fragment
  /** True where the rollup `facts.day_totals` has the day. */
  readonly isSummed: Fragment
}

/** The rollup that holds exactly what is asked; null when only rows do. */
function rollupFor(filter: FactFilter, { step, dimension, columns }: By): Rollup | null {
  if (columns !== undefined) return null
  const filters = (
    [
      ['device_type_key', filter.deviceTypeKey],
      ['size', filter.size],
      ['publisher', filter.publisher],
    ] as const
  ).filter(([, value]) => value !== null && value !== undefined)
  const [only] = filters
  const isHourly = step === 'hour' || !hasWholeDays(filter)
  const noKey = sql`null::int`
  if (filters.length === 0 && dimension === undefined)
    return isHourly
      ? { table: 'hours', period: sql`t.hour`, key: noKey, where: () => within(filter), isSummed: sql`true` }
      : { table: 'day_totals', period: START_OF_DAY, key: noKey, where: withinDays, isSummed: sql`true` }
  const grouping = filters.length === 0 ? dimension : filters.length === 1 && dimension === undefined ? only?.[0] : undefined
  if (grouping === undefined || isHourly) return null
  const ofKey = filters.length === 0 ? sql`true` : sql`t.key = ${keyOf(grouping, only?.[1])}`
  return {
    table: 'day_groups',
    period: START_OF_DAY,
    key: sql`t.key`,
    where: (days) => sql`t.grouping = ${sql.lit(groupingNumber(grouping))} and ${ofKey} and ${withinDays(days)}`,
    isSummed: sql`t.wide & ${sql.lit(groupingBit(grouping))} = 0`,
  }
}

const START_OF_DAY = sql`(t.day::timestamp at time zone 'UTC')`

const withinDays = ({ first, end }: { readonly first: string; readonly end: string }): Fragment =>
  sql`t.day >= ${first}::date and t.day < ${end}::date`

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

const within = ({ from, to }: FactFilter): Fragment =>
  sql`${from === null ? sql`true` : sql`hour >= ${from}::timestamptz`} and ${to === null ? sql`true` : sql`hour < ${to}::timestamptz`}`

const matching = ({ deviceTypeKey, size, publisher }: FactFilter): Fragment =>
  sql.join(
    (
      [
        ['device_type_key', deviceTypeKey],
        ['size', size],
        ['publisher', publisher],
      ] as const
    )
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => sql`${sql.ref(name)} = ${keyOf(name, value)}`)
      .concat(sql`true`),
    sql` and `,
  )

/** The number of a dimension's value; null, which equals nothing, when no fact has it. */
const keyOf = (name: Dimension, value: string | number | null | undefined): Fragment =>
  name === 'device_type_key' ? sql`${value}::int` : sql`(select id from facts.names where digest = ${digestOf(String(value))})`

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The bound in full hours: a fact belongs to an hour that starts before `to`. */
const endOf = (to: string): string => new Date(Math.ceil(Date.parse(to) / HOUR_MS) * HOUR_MS).toISOString()

const dayOf = (instant: string): string => instant.slice(0, 10)
/** The day after the last one that begins before `to`. */
const dayAfter = (to: string): string => dayOf(new Date(Math.ceil(Date.parse(endOf(to)) / DAY_MS) * DAY_MS).toISOString())

const isMidnight = (instant: string): boolean => Date.parse(instant) % DAY_MS === 0

/** True when the filter covers whole UTC days. */
const hasWholeDays = ({ from, to }: FactFilter): boolean =>
  (from === null || isMidnight(from)) && (to === null || isMidnight(endOf(to)))
