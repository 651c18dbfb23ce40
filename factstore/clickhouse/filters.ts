import { TIME_GROUPINGS, type FactFilter, type Grouping, type TimeGrouping } from '../fact-store.ts'
import type { Params } from './clickhouse.ts'

/** A condition, with its values as parameters. */
export type Condition = { readonly where: string; readonly params: Params; readonly period: 'hour' | 'day' }

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
/** The last hour that the engine's DateTime can hold. */
const LAST_S = Math.floor(0xffff_ffff / HOUR_S) * HOUR_S

/** The condition of a filter. A filter of whole UTC days compares days, so that the engine may read the daily rollups. */
export function conditionOf(filter: FactFilter, step: 'hour' | 'day'): Condition {
  const [from, to] = [boundOf(filter.from), boundOf(filter.to)]
  const isDaily = step === 'day' && [from, to].every((bound) => bound === null || bound % DAY_S === 0)
  const period = isDaily ? 'day' : 'hour'
  const instant = (name: string) => `toDateTime({${name}:UInt32}, 'UTC')`
  const bound = (name: string) => (isDaily ? `toDate(${instant(name)})` : instant(name))
  const parts: readonly (readonly [string, Params] | null)[] = [
    scoped(filter),
    from === null ? null : [`${period} >= ${bound('from')}`, { from }],
    to === null ? null : [`${period} < ${bound('to')}`, { to }],
    isGiven(filter.deviceTypeKey) ? ['device_type_key = {device:Int32}', { device: filter.deviceTypeKey }] : null,
    isGiven(filter.size) ? ['size = {size:String}', { size: filter.size }] : null,
    isGiven(filter.publisher) ? ['publisher = {publisher:String}', { publisher: filter.publisher }] : null,
  ]
  const given = parts.filter((part) => part !== null)
  return {
    where: given.map(([where]) => where).join(' and ') || 'true',
    params: Object.assign({}, ...given.map(([, params]) => params)),
    period,
  }
}

const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined

function scoped({ scope }: FactFilter): readonly [string, Params] | null {
  switch (scope.kind) {
    case 'all':
      return null
    case 'whitelabel':
      return ['whitelabel_id = {whitelabel:String}', { whitelabel: scope.id }]
    case 'spaces':
      return ['space_id in {spaces:Array(String)}', { spaces: scope.ids }]
    case 'campaigns':
      return ['campaign_id in {campaigns:Array(String)}', { campaigns: scope.ids }]
  }
}

/** A bound in seconds since the epoch, in full hours: a fact belongs to an hour that starts at or after it, or before it. */
function boundOf(instant: string | null): number | null {
  if (instant === null) return null
  const seconds = Math.ceil(Date.parse(instant) / 1000 / HOUR_S) * HOUR_S
  return Math.min(LAST_S, Math.max(0, seconds))
}

export const isTime = (grouping: Grouping): grouping is TimeGrouping => (TIME_GROUPINGS as readonly Grouping[]).includes(grouping)

/** The key of a part of the UTC time. */
export const TIME_KEYS: Readonly<Record<TimeGrouping, (period: string) => string>> = {
  year: (period) => `toString(toYear(${period}))`,
  quarter: (period) => `concat(toString(toYear(${period})), '-Q', toString(toQuarter(${period})))`,
  month: (period) => `formatDateTime(${period}, '%Y-%m')`,
  week: (period) => `formatDateTime(${period}, '%G-W%V')`,
  day: (period) => `formatDateTime(${period}, '%Y-%m-%d')`,
  day_of_week: (period) => `toString(toDayOfWeek(${period}))`,
  hour: (period) => `formatDateTime(${period}, '%H')`,
}
