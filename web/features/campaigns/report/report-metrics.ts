import { formatMoney } from '@/components/money'
import { formatCount, formatPercent, symbolOf } from '@/i18n/format'
import { DEFAULT_METRICS, METRIC_NAMES, type Metric } from './report-names.ts'

type Kind = 'count' | 'money' | 'percent'

const KIND = {
  impressions: 'count',
  cpm: 'money',
  clicks: 'count',
  cpc: 'money',
  ctr: 'percent',
  conversions: 'count',
  cpa: 'money',
  cvr: 'percent',
  spent: 'money',
  reach: 'count',
  bids: 'count',
  win_rate: 'percent',
  unique_conversions: 'count',
  conversions_unique_bid: 'count',
  unconfirmed_conversions: 'count',
  bounces: 'count',
  bounce_rate: 'percent',
  engagements: 'count',
  engagement_rate: 'percent',
  completed_views: 'count',
  cpcv: 'money',
} as const satisfies Readonly<Record<Metric, Kind>>

export const kindOf = (metric: Metric): Kind => KIND[metric]
export const isMoney = (metric: Metric): boolean => KIND[metric] === 'money'

/** Metrics that a report can show: money where there is one currency. */
export const offeredMetrics = ({ money }: { readonly money: boolean }): readonly Metric[] =>
  METRIC_NAMES.filter((metric) => money || !isMoney(metric))

const namesIn = (search: string | undefined): readonly string[] => search?.split(',') ?? []

/** The chosen metrics of the cards and the table, in their order; the default ones without a choice. */
export function chosenMetrics(search: string | undefined, offered: readonly Metric[]): readonly Metric[] {
  const names = namesIn(search)
  const chosen = offered.filter((metric) => names.includes(metric))
  return chosen.length > 0 ? chosen : offered.filter((metric) => DEFAULT_METRICS.includes(metric))
}

/** The metrics of the chart, the first one on the left axis. */
export function chosenLines(search: string | undefined, shown: readonly Metric[], most: number): readonly Metric[] {
  const lines = namesIn(search).flatMap((name) => shown.find((metric) => metric === name) ?? [])
  return lines.length > 0 ? lines.slice(0, most) : shown.slice(0, 1)
}

/** The lines after a press on a metric: it is added, or taken out unless it is the only one. One too many replaces the last. */
export function linesAfterPress(lines: readonly Metric[], pressed: Metric, most: number): readonly Metric[] {
  if (!lines.includes(pressed)) return [...lines.slice(0, most - 1), pressed]
  return lines.length === 1 ? lines : lines.filter((metric) => metric !== pressed)
}

/** A number of an axis with the sign of the metric's unit. */
export const withSign = (metric: Metric, number: string, currency: string): string =>
  ({ count: number, money: `${symbolOf(currency)}${number}`, percent: `${number}%` })[kindOf(metric)]

export function formatMetric(metric: Metric, value: number, currency: string): string {
  if (isMoney(metric)) return formatMoney(value, currency)
  return KIND[metric] === 'percent' ? formatPercent(value) : formatCount(value)
}
