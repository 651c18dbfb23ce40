import { formatHour, formatPlainDay, formatPlainDayOfHour, formatShortDay } from '@/i18n/format'
import type { ChartPoint } from '@/components/charts/series'
import type { Part, Step, Values } from './report-parts.ts'
import { sumOf } from './report-parts.ts'
import type { Metric } from './report-names.ts'

type Points = Part['points']

/** Days. */
const LONG_PERIOD = 92

/** Day of a point, YYYY-MM-DD. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
const hourOf = (at: number): number => new Date(at).getUTCHours()

/** The hours or days that have begun: those to come are no zeros. */
export const begun = (points: Points, now: number): Points => {
  const first = points[0]
  return first === undefined || first.at > now ? points : points.filter(({ at }) => at <= now)
}

/** Days of a long period, without those before its first figure: all time begins with the account's first delivery. */
export function sinceFirst(points: Points, step: Step): Points {
  if (step === 'hours' || points.length <= LONG_PERIOD) return points
  const first = points.findIndex(({ values }) => Object.values(values).some((value) => value !== 0))
  return first === -1 ? points : points.slice(first)
}

/**
 * Totals to compare with: of the whole previous period, or of as much of it as has passed of the current one.
 */
export const comparedTotals = (previous: Part, current: Points, shown: Points, metrics: readonly Metric[]): Values =>
  shown.length === current.length
    ? previous.totals
    : sumOf(
        previous.points.slice(0, shown.length).map(({ values }) => values),
        metrics,
      )

/** Name of a point: its day, or its hour with the day. */
export const pointName = (at: number, step: Step): string =>
  step === 'days' ? formatPlainDay(dayOf(at)) : formatPlainDayOfHour(dayOf(at), hourOf(at))

const HOUR_MS = 3_600_000
const LENGTH = { hours: HOUR_MS, days: 24 * HOUR_MS } as const

/** True when the last hour or day was not over when the figures were read. */
export const endsOpen = (points: Points, step: Step, now: number): boolean => (points.at(-1)?.at ?? 0) + LENGTH[step] > now

/** The time axis. Hours of one day are named by hour; of several days, midnight is named by its day. */
export function chartPoints(points: Points, step: Step, open: boolean): readonly ChartPoint[] {
  const days = new Set(points.map(({ at }) => dayOf(at))).size
  const tickOf = (at: number) => {
    if (step === 'days' || (days > 1 && hourOf(at) === 0)) return formatShortDay(`${dayOf(at)}T00:00:00`)
    return days === 1 ? formatHour(hourOf(at)) : undefined
  }
  return points.map(({ at }, index) => ({
    key: String(at),
    label: pointName(at, step),
    tick: tickOf(at),
    open: open && index === points.length - 1,
  }))
}
