import { ChartLine, Table2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { zoneName } from '#domain/kit/time-zone'
import { ChartTable } from '@/components/charts/chart-table'
import { TimeChart } from '@/components/charts/time-chart'
import { ToggleGroup, ToggleGroupItem } from '@/components/ui/toggle-group'
import { formatPlainDay } from '@/i18n/format'
import { useCan } from '@/session/can'
import { ChangeMarkers } from './change-markers.tsx'
import { MetricCards } from './metric-cards.tsx'
import { previousRange } from './report-compare.ts'
import { chartPoints, comparedTotals, endsOpen, pointName } from './report-points.ts'
import { useReportSeries } from './report-series.ts'
import type { ReportView } from './use-report.ts'

const VIEWS = [
  { key: 'chart', Icon: ChartLine },
  { key: 'table', Icon: Table2 },
] as const
type View = (typeof VIEWS)[number]['key']

type ReportBlockProps = {
  readonly report: ReportView
  /** ISO 4217; empty where no money is shown. */
  readonly currency: string
}

/** The figures of a period: a card for each metric, and the chosen metrics as a chart or as its table. */
export function ReportBlock({ report, currency }: ReportBlockProps) {
  const { t } = useTranslation('reports')
  const { lines, metrics, figures, previous, points, range, today, zone, patch } = report
  const [view, setView] = useState<View>('chart')
  const switchId = useId()
  const series = useReportSeries(report, currency)
  const readsLog = useCan()('log.read')
  const { data } = figures
  const step = data?.step ?? report.step
  const skipped = data?.points.findIndex(({ at }) => at === points[0]?.at) ?? 0
  const axis = chartPoints(points, step, endsOpen(points, step, data?.localAsOf ?? 0)).map((point, index) => {
    const at = previous?.data?.points[index + Math.max(0, skipped)]?.at
    return { ...point, before: at === undefined ? undefined : pointName(at, step) }
  })
  const before = previousRange(range, today)
  const title = t(`chart.title.${step}`, {
    metric: lines.map((metric) => t(`metric.${metric}`)).join(', '),
  })
  const pointLabel = t(step === 'hours' ? 'hour' : 'day', { zone: zoneName(zone) })
  return (
    <section aria-label={t('chart.label')} className="border-border bg-card flex flex-col rounded-lg border">
      <MetricCards
        metrics={metrics}
        lines={lines}
        mostLines={report.mostLines}
        totals={data?.totals}
        previous={
          previous === null
            ? null
            : previous.data && data && comparedTotals(previous.data, data.points, report.begunPoints, report.request.metrics)
        }
        previousDates={`${formatPlainDay(before.start)} – ${formatPlainDay(before.end)}`}
        currency={currency}
        onLines={(next) => patch({ metric: next.join(',') })}
      />
      <div className="flex flex-col gap-2 px-4 pt-3 pb-2">
        <div className="flex items-center justify-between gap-3">
          <h2 id={switchId} className="text-sm font-medium">
            {title}
          </h2>
          <ToggleGroup
            type="single"
            size="sm"
            aria-label={t('chart.view')}
            value={view}
            onValueChange={(next) => {
              const known = VIEWS.find(({ key }) => key === next)
              if (known !== undefined) setView(known.key)
            }}
          >
            {VIEWS.map(({ key, Icon }) => (
              <ToggleGroupItem key={key} value={key} aria-label={t(`chart.as.${key}`)} className="size-8 flex-none rounded-md">
                <Icon aria-hidden />
              </ToggleGroupItem>
            ))}
          </ToggleGroup>
        </div>
        {view === 'table' ? (
          // A scrollable table must be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          <section aria-labelledby={switchId} tabIndex={0} className="max-h-80 overflow-auto">
            <ChartTable title={title} pointLabel={pointLabel} points={axis} series={series} />
          </section>
        ) : (
          <TimeChart
            title={title}
            points={axis}
            series={series}
            pointLabel={pointLabel}
            openLabel={step === 'hours' ? t('chart.openHour') : t('chart.openDay')}
            filled
            {...(readsLog ? { renderOverlay: (plot) => <ChangeMarkers report={report} plot={plot} step={step} /> } : {})}
          />
        )}
      </div>
    </section>
  )
}
