import { useTranslation } from 'react-i18next'
import type { Series } from '@/components/charts/series'
import { formatMetric, kindOf, withSign } from './report-metrics.ts'
import type { Metric } from './report-names.ts'
import type { Part, Values } from './report-parts.ts'
import type { ReportView } from './use-report.ts'

/**
 * The lines of a report's chart: the chosen metrics with those of the previous period, or the first metric by device kind when several
 * kinds are chosen. Money, counts and percentages have axes of their own.
 */
export function useReportSeries({ lines, figures, previous, points }: ReportView, currency: string): readonly Series[] {
  const { t } = useTranslation('reports')
  const answer = figures.data
  const [main] = lines
  if (answer === undefined || main === undefined) return []
  const first = points[0]?.at
  const skipped = Math.max(
    0,
    answer.points.findIndex(({ at }) => at === first),
  )
  const own = (metric: Metric) => ({
    unit: kindOf(metric),
    whole: kindOf(metric) === 'count',
    sign: (number: string) => withSign(metric, number, currency),
    format: (value: number) => formatMetric(metric, value, currency),
  })
  const valuesOf = (part: Pick<Part, 'points'>, metric: Metric) =>
    points.map((_, index) => valueOf(part.points[index + skipped]?.values, metric))
  if (answer.byDevice.length > 0)
    return answer.byDevice.map((part, index) => ({
      id: `${main} ${part.device}`,
      label: t(`device.${part.device}`),
      values: valuesOf(part, main),
      colour: index,
      ...own(main),
    }))
  return lines.flatMap((metric, index) => [
    { id: metric, label: t(`metric.${metric}`), values: valuesOf(answer, metric), colour: index, ...own(metric) },
    ...(previous?.data === undefined
      ? []
      : [
          {
            id: `${metric} previous`,
            label: t('compare.line', { metric: t(`metric.${metric}`) }),
            values: valuesOf(previous.data, metric),
            colour: index,
            dashed: true,
            ...own(metric),
          },
        ]),
  ])
}

/** Null beyond the end: the previous period may have fewer days. */
const valueOf = (values: Values | undefined, metric: Metric): number | null =>
  values === undefined ? null : (values[metric] ?? 0)
