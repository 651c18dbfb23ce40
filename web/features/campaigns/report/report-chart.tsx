import { useTranslation } from 'react-i18next'
import { TimeChart } from '@/components/charts/time-chart'
import { ToggleGroup, ToggleGroupItem } from '@/components/ui/toggle-group'
import { formatMetric } from './report-metrics.ts'
import type { Metric } from './report-names.ts'
import type { ReportDay } from './report-queries.ts'

type ReportChartProps = {
  /** Oldest first. */
  readonly days: readonly ReportDay[]
  readonly metrics: readonly Metric[]
  readonly metric: Metric
  readonly currency: string
  /** Id of the table with the same figures. */
  readonly tableId: string
  readonly onMetric: (metric: Metric) => void
}

/** One metric of the report over its days. */
export function ReportChart({ days, metrics, metric, currency, tableId, onMetric }: ReportChartProps) {
  const { t } = useTranslation('reports')
  const label = t(`metric.${metric}`)
  return (
    <section aria-label={t('chart.label')} className="border-border bg-card flex flex-col gap-3 rounded-lg border px-4 pt-3 pb-2">
      <ToggleGroup
        type="single"
        size="sm"
        aria-label={t('chart.metric')}
        value={metric}
        // Empty when the chosen metric is pressed again: it stays.
        onValueChange={(next) => {
          const known = metrics.find((one) => one === next)
          if (known !== undefined) onMetric(known)
        }}
        className="w-full flex-wrap"
      >
        {metrics.map((one) => (
          <ToggleGroupItem key={one} value={one} className="flex-none rounded-md px-2.5 text-[0.8125rem]/4.5">
            {t(`metric.${one}`)}
          </ToggleGroupItem>
        ))}
      </ToggleGroup>
      <TimeChart
        title={t('chart.title', { metric: label })}
        description={t('chart.description')}
        dayLabel={t('day')}
        tableId={tableId}
        filled
        series={[
          {
            id: metric,
            label,
            points: days.map(({ day, values }) => ({ day, value: values[metric] ?? 0 })),
            format: (value) => formatMetric(metric, value, currency),
          },
        ]}
      />
    </section>
  )
}
