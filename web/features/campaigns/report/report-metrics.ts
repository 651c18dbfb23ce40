import { formatMoney } from '@/components/money'
import { formatCount, formatPercent } from '@/i18n/format'
import { REPORT_METRICS, type Metric } from './report-names.ts'

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
} as const satisfies Readonly<Record<Metric, string>>

/** Shown only for campaigns with a conversion goal (campaign.md §9). */
const OF_CONVERSIONS: readonly Metric[] = ['conversions', 'cpa', 'cvr']

/** Returns the metrics of a report, in the order of its columns. */
export const metricsOf = (converts: boolean): readonly Metric[] =>
  REPORT_METRICS.filter((metric) => converts || !OF_CONVERSIONS.includes(metric))

export const isMoney = (metric: Metric): boolean => KIND[metric] === 'money'

export function formatMetric(metric: Metric, value: number, currency: string): string {
  if (isMoney(metric)) return formatMoney(value, currency)
  return KIND[metric] === 'percent' ? formatPercent(value) : formatCount(value)
}
