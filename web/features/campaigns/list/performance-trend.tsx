import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Sparkline } from '@/components/charts/sparkline'
import { formatCount } from '@/i18n/format'
import { useTodayIn } from '@/lib/clock'
import { presetRange } from '@/lib/date-range'
import { useMe } from '@/session/session-queries'
import { NO_FILTERS, reportQueries } from '../report/report-queries.ts'

/** The impressions of a campaign in the last seven days, as a small line. Nothing without impressions. */
export function PerformanceTrend({ id }: { readonly id: string }) {
  const { t } = useTranslation('campaigns')
  const { zone } = useMe()
  const today = useTodayIn(zone)
  const range = presetRange('last7', today)
  const { data } = useQuery(
    reportQueries.figures(id, { range, step: 'days', metrics: ['impressions'], filters: NO_FILTERS, zone }),
  )
  const values = data?.points.map(({ values: { impressions = 0 } }) => impressions) ?? []
  if (values.every((value) => value === 0)) return null
  const label = t('performance.trend', { values: values.map(formatCount).join(', ') })
  return (
    <div className="flex flex-col gap-1">
      <span aria-hidden className="text-muted-foreground text-xs">
        {t('performance.trendTitle')}
      </span>
      <Sparkline label={label} values={values} width={256} height={36} />
    </div>
  )
}
