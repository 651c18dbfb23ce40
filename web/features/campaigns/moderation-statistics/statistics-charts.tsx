import { useTranslation } from 'react-i18next'
import type { ReviewStatistics } from '#contract/moderation'
import type { ChartPoint, Series } from '@/components/charts/series'
import { TimeChart } from '@/components/charts/time-chart'
import { formatCount, formatPlainDay, formatShortDay } from '@/i18n/format'
import { useFigures } from './use-figures.ts'

type StatisticsChartsProps = {
  readonly statistics: ReviewStatistics
  /** Moderator of the decisions; null for all. */
  readonly moderator: string | null
}

/** Decisions by day, and the queue at the end of each. */
export function StatisticsCharts({ statistics: { days, queue }, moderator }: StatisticsChartsProps) {
  const { t } = useTranslation('moderation')
  const { duration } = useFigures()
  const points: readonly ChartPoint[] = queue.map(({ day }) => ({
    key: day,
    label: formatPlainDay(day),
    tick: formatShortDay(new Date(`${day}T00:00:00`)),
  }))
  const sums = new Map<string, { approved: number; rejected: number }>()
  for (const { day, moderator_id, approved, rejected } of days) {
    if (moderator !== null && moderator_id !== moderator) continue
    const before = sums.get(day) ?? { approved: 0, rejected: 0 }
    sums.set(day, { approved: before.approved + approved, rejected: before.rejected + rejected })
  }
  const decisions = (kind: 'approved' | 'rejected', colour: number): Series => ({
    id: kind,
    label: t(`statistics.figure.${kind}`),
    values: queue.map(({ day }) => sums.get(day)?.[kind] ?? 0),
    format: formatCount,
    unit: 'decisions',
    whole: true,
    colour,
  })
  const waiting: readonly Series[] = [
    {
      id: 'waiting',
      label: t('statistics.waiting'),
      values: queue.map((one) => one.waiting),
      format: formatCount,
      unit: 'submissions',
      whole: true,
      colour: 0,
    },
    {
      id: 'oldest',
      label: t('statistics.oldest'),
      values: queue.map(({ oldest_minutes: minutes }) => (minutes === null ? null : minutes / 60)),
      format: (hours) => duration(hours * 60),
      unit: 'hours',
      colour: 1,
    },
  ]
  const charts = [
    { title: t('statistics.byDay'), series: [decisions('approved', 0), decisions('rejected', 1)] },
    { title: t('statistics.queueByDay'), series: waiting },
  ]
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      {charts.map(({ title, series }) => (
        <section key={title} aria-label={title} className="border-border bg-card rounded-xl border px-5 py-4">
          <h2 className="mb-2 font-semibold">{title}</h2>
          {points.length > 0 && <TimeChart title={title} points={points} series={series} pointLabel={t('statistics.day')} />}
        </section>
      ))}
    </div>
  )
}
