import { useTranslation } from 'react-i18next'
import type { DataColumn } from '@/components/data-table/table-view'
import { Money } from '@/components/money'
import { formatPlainDay } from '@/i18n/format'
import { formatMetric, isMoney } from './report-metrics.ts'
import type { Metric } from './report-names.ts'
import type { Report, ReportDay } from './report-queries.ts'

/** Returns one column for the day and one for each metric, with the totals as summary. */
export function useReportColumns(
  metrics: readonly Metric[],
  totals: Report['totals'] | undefined,
  currency: string,
): readonly DataColumn<ReportDay>[] {
  const { t } = useTranslation('reports')
  const valueOf = (metric: Metric, value = 0) =>
    isMoney(metric) ? <Money value={value} currency={currency} /> : formatMetric(metric, value, currency)
  return [
    {
      id: 'day',
      header: t('day'),
      rowHeader: true,
      summary: totals && t('total'),
      cell: ({ day }) => formatPlainDay(day),
      className: 'whitespace-nowrap',
    },
    ...metrics.map((metric): DataColumn<ReportDay> => ({
      id: metric,
      header: t(`metric.${metric}`),
      numeric: true,
      summary: totals && valueOf(metric, totals[metric]),
      cell: ({ values }) => valueOf(metric, values[metric]),
    })),
  ]
}
