import { RATIOS, ratioOf, NOTHING_COUNTED, type Counts, type Ratio } from '#domain/reports/figures'
import { addDays, differenceInCalendarDays } from 'date-fns'
import { fromDay, toDay, type DateRange } from '@/lib/date-range'
import { LONGEST_BY_HOUR, type Metric } from './report-names.ts'

/** Figures by metric; a metric that was not asked for is missing. */
export type Values = Readonly<Partial<Record<Metric, number>>>

export type Step = 'hours' | 'days'

/** One answer of the server: the points of a period and the period as a whole. */
export type Part = {
  /** `at` is the start of the hour or day, epoch milliseconds. */
  readonly points: readonly { readonly at: number; readonly values: Values }[]
  readonly totals: Values
}

/** Days in one request of hours (decisions G-224). */
const DAYS_AT_ONCE = 7
const MICROS = 1_000_000

const isRatio = (metric: Metric): metric is Ratio => metric in RATIOS

export const daysIn = ({ start, end }: DateRange): number => differenceInCalendarDays(fromDay(end), fromDay(start)) + 1

export const canBeHourly = (range: DateRange): boolean => daysIn(range) <= LONGEST_BY_HOUR

/** The periods to request, one after the other: hours of more than seven days are requested week by week. */
export function splitRange(range: DateRange, step: Step): readonly DateRange[] {
  const days = daysIn(range)
  if (step === 'days' || days <= DAYS_AT_ONCE) return [range]
  return Array.from({ length: Math.ceil(days / DAYS_AT_ONCE) }, (_, week) => {
    const first = addDays(fromDay(range.start), week * DAYS_AT_ONCE)
    const last = toDay(addDays(first, DAYS_AT_ONCE - 1))
    return { start: toDay(first), end: last < range.end ? last : range.end }
  })
}

/** The metrics to request: those that are shown, the counts that their ratios come from, and conversions that count apart beside the others. */
export const withCounts = (metrics: readonly Metric[]): readonly Metric[] => [
  ...new Set(
    metrics.flatMap((metric): readonly Metric[] => {
      if (isRatio(metric)) return [metric, RATIOS[metric].part, RATIOS[metric].whole]
      return metric === 'conversions' ? [metric, 'unconfirmed_conversions'] : [metric]
    }),
  ),
]

/** Sums counts and computes ratios from the sums, as the server does. Money is summed in millionths: sums stay exact. */
export function sumOf(all: readonly Values[], metrics: readonly Metric[]): Values {
  const sums: Partial<Record<Metric, number>> = {}
  for (const metric of withCounts(metrics)) {
    if (isRatio(metric) || all.every((values) => values[metric] === undefined)) continue
    const factor = metric === 'spent' ? MICROS : 1
    sums[metric] = all.reduce((sum, values) => sum + Math.round((values[metric] ?? 0) * factor), 0) / factor
  }
  for (const metric of metrics) {
    if (!isRatio(metric) || sums[RATIOS[metric].part] === undefined) continue
    sums[metric] = ratioOf(metric, { ...NOTHING_COUNTED, ...(sums as Partial<Counts>) })
  }
  return sums
}

/** Parts of one period after the other, as one. */
export const joinParts = (parts: readonly Part[], metrics: readonly Metric[]): Part => {
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only
  return {
    points: parts.flatMap(({ points }) => points),
    totals: sumOf(
      parts.map(({ totals }) => totals),
      metrics,
    ),
  }
}

/** Parts of the same period, each with another filter, as one: their points are over the same hours or days. */
export const addParts = (parts: readonly Part[], metrics: readonly Metric[]): Part => {
  const [first, ...others] = parts
  if (first === undefined || others.length === 0) return first ?? { points: [], totals: {} }
  return {
    points: first.points.map(({ at }, index) => ({
      at,
      values: sumOf(
        parts.map(({ points }) => points[index]?.values ?? {}),
        metrics,
      ),
    })),
    totals: sumOf(
      parts.map(({ totals }) => totals),
      metrics,
    ),
  }
}
