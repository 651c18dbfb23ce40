import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { dayIn } from '#domain/kit/time-zone'
import { campaignQueries } from '@/data/campaign-queries'
import { formatCount, formatMoney } from '@/i18n/format'
import { now } from '@/lib/clock'
import { useMe } from '@/session/session-queries'
import { NO_FILTERS, reportQueries } from '../report/report-queries.ts'

/** Figures of a running campaign since midnight, on the day of every report. */
export function DeliveredToday({ id }: { readonly id: string }) {
  const { t } = useTranslation('delivery')
  const { zone } = useMe()
  const day = dayIn(now(), zone)
  const request = {
    range: { start: day, end: day },
    step: 'days',
    metrics: ['impressions', 'spent'],
    filters: NO_FILTERS,
    zone,
  } as const
  const totals = useQuery(reportQueries.figures(id, request)).data?.totals
  const currency = useQuery(campaignQueries.total(id)).data?.currency
  if (totals === undefined || currency === undefined) return null
  const { impressions = 0, spent = 0 } = totals
  return (
    <p className="text-muted-foreground">
      {impressions === 0
        ? t('nothingToday')
        : t('today', { impressions: formatCount(impressions), spent: formatMoney(spent, currency) })}
    </p>
  )
}
