import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { campaignQueries } from '@/data/campaign-queries'
import { formatCount, formatMoney } from '@/i18n/format'
import { now } from '@/lib/clock'
import { reportQueries } from '../report/report-queries.ts'

/** What a running campaign delivered since midnight UTC, the day of every report. */
export function DeliveredToday({ id }: { readonly id: string }) {
  const { t } = useTranslation('delivery')
  const day = new Date(now()).toISOString().slice(0, 10)
  const totals = useQuery(reportQueries.campaign(id, { start: day, end: day })).data?.totals
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
