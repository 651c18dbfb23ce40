import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '@/components/data-table/data-table'
import type { DataColumn } from '@/components/data-table/table-view'
import { useMetricColumns } from './report-columns.tsx'
import { NoFigures } from './no-figures.tsx'
import type { Part } from './report-parts.ts'
import { pointName } from './report-points.ts'
import { useShownPage } from './use-shown-page.ts'
import type { ReportView } from './use-report.ts'

type Point = Part['points'][number]

/** The figures of each hour or day, newest first. The currency is undefined until known. */
export function PointsTable({ report, currency }: { readonly report: ReportView; readonly currency: string | undefined }) {
  const { t } = useTranslation('reports')
  const { figures, points, empty, metrics } = report
  const loaded = figures.data !== undefined && currency !== undefined
  const step = figures.data?.step ?? report.step
  const newestFirst = useMemo(() => points.toReversed(), [points])
  const shown = useShownPage(empty ? [] : loaded ? newestFirst : undefined)
  const columns: readonly DataColumn<Point>[] = [
    {
      id: 'point',
      header: t(step === 'hours' ? 'hour' : 'day'),
      rowHeader: true,
      summary: loaded ? t(step === 'hours' ? 'totalHours' : 'total') : undefined,
      cell: ({ at }) => pointName(at, step),
      className: 'whitespace-nowrap',
    },
    ...useMetricColumns<Point>(metrics, loaded ? figures.data?.totals : undefined, currency ?? ''),
  ]
  return (
    <DataTable
      {...shown}
      caption={t(`table.${step}`)}
      columns={columns}
      rowId={({ at }) => String(at)}
      busy={figures.isPlaceholderData}
      nothing={<NoFigures report={report} />}
      testId="report-point"
      narrow="scroll"
    />
  )
}
