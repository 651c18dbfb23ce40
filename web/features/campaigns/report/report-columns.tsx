import { useTranslation } from 'react-i18next'
import type { ReportTableRow } from '#contract/report-tables'
import type { DataColumn } from '@/components/data-table/table-view'
import { Money } from '@/components/money'
import { formatMetric, isMoney } from './report-metrics.ts'
import type { TableGrouping } from '#domain/reports/groupings'
import type { Metric } from './report-names.ts'
import type { Values } from './report-parts.ts'
import { RowName } from './row-name.tsx'

type Valued = { readonly values: Values }

/** Returns one column for each metric, with the totals as summary. */
function useMetricColumns<Row extends Valued>(
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
    sortable: 'desc',
    summary: totals && valueOf(metric, totals[metric]),
    cell: ({ values }) => valueOf(metric, values[metric]),
  }))
}

type Shown = {
  readonly heading: string
  /** Name of the totals; undefined until loaded. */
  readonly all: string | undefined
  readonly totals: Values | undefined
  readonly currency: string
}

/** Returns the columns of a report's table: the names of its rows, and the metrics. */
export function useTableColumns(
  grouping: TableGrouping,
  metrics: readonly Metric[],
  { heading, all, totals, currency }: Shown,
): readonly DataColumn<ReportTableRow>[] {
  return [
    {
      id: 'name',
      header: heading,
      rowHeader: true,
      sortable: 'asc',
      summary: all,
      cell: (row) => <RowName row={row} grouping={grouping} />,
      className: 'min-w-28 [overflow-wrap:anywhere]',
    },
    ...useMetricColumns<ReportTableRow>(metrics, totals, currency),
  ]
}
