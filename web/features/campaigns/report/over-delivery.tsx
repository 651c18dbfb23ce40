import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatCount, formatMoney } from '@/i18n/format'
import { reportQueries } from './report-queries.ts'
import '@/i18n/texts/reports'

/** Delivery of a campaign beyond its budget, which is not charged; null while there is none. */
export function OverDelivery({ id }: { readonly id: string }) {
  const { t } = useTranslation('reports')
  const { data } = useQuery(reportQueries.overDelivery(id))
  if (data === undefined || data.amount === 0) return null
  const { impressions, amount, currency } = data
  return (
    <p className="text-muted-foreground text-[0.8125rem]/4.5">
      {t('overDelivery', { impressions: formatCount(impressions), amount: formatMoney(amount, currency) })}
    </p>
  )
}
