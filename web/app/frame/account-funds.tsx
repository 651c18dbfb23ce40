import { useQuery } from '@tanstack/react-query'
import { LoaderCircle, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Money } from '@/components/money'
import { accountQueries } from '@/data/account-queries'
import { formatCount } from '@/i18n/format'
import { isAdvertiser, useCan } from '@/session/can'
import { useMe } from '@/session/session-queries'

/** A runway longer than this needs no attention, days. */
const FAR_DAYS = 30

/** Balance of the account in its currency, and for how many days it lasts; a spinner while it loads (platform.md "Page frame"). */
export function AccountFunds() {
  const { t } = useTranslation()
  const me = useMe()
  const reads = useCan()('balance.read')
  const { data: funds, isPending } = useQuery({ ...accountQueries.balance(me.space_id), enabled: reads })
  if (!reads || (funds === undefined && !isPending)) return null
  // Staff act in a house account without money.
  if (!isAdvertiser(me) && (funds === undefined || (funds.balance === 0 && funds.credit_limit === 0))) return null
  return (
    <div className="ml-auto flex shrink-0 items-center gap-2 text-[0.8125rem]/4.5">
      <dl className="grid grid-cols-[1fr_auto] items-baseline gap-x-2 text-right">
        <dt className="text-muted-foreground text-xs max-sm:sr-only">{t('balance.label')}</dt>
        <dd className="font-medium">
          {funds === undefined ? (
            <output aria-label={t('loading')}>
              <LoaderCircle aria-hidden className="size-4 animate-spin" />
            </output>
          ) : (
            <Money value={funds.balance} currency={funds.currency} />
          )}
        </dd>
        {funds !== undefined && funds.runway_days !== null && funds.runway_days < FAR_DAYS && (
          <dd className="text-muted-foreground text-xs col-span-2 max-lg:sr-only">
            {t('balance.runway', { count: Math.floor(funds.runway_days), days: formatCount(Math.floor(funds.runway_days)) })}
          </dd>
        )}
      </dl>
      {funds !== undefined && funds.notices.length > 0 && (
        <TriangleAlert aria-label={t('balance.low')} className="text-warning size-4 shrink-0" />
      )}
    </div>
  )
}
