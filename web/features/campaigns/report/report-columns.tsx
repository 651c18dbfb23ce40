import { useTranslation } from 'react-i18next'
import type { DataColumn } from '@/components/data-table/table-view'
import { Money } from '@/components/money'
import { formatMetric, isMoney } from './report-metrics.ts'
import type { Metric } from './report-names.ts'
import type { Values } from './report-parts.ts'

type Valued = { readonly values: Values }

/** Returns one column for each metric, with the totals as summary. */
export function useMetricColumns<Row extends Valued>(
  metrics: readonly Metric[],
  totals: Values | undefined,
  currency: string,
): readonly DataColumn<Row>[] {
  const { t } = useTranslation('reports')
  const valueOf = (metric: Metric, value = 0) =>
    isMoney(metric) ? <Money value={value} currency={currency} /> : formatMetric(metric, value, currency)
  return metrics.map((metric) => ({
    id: metric,
    header: t(`metric.${metric}`),
    numeric: true,
    summary: totals && valueOf(metric, totals[metric]),
    cell: ({ values }) => valueOf(metric, values[metric]),
  }))
}
