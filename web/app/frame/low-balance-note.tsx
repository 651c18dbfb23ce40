import { useQuery } from '@tanstack/react-query'
import { TriangleAlert, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '@/components/money'
import { Button } from '@/components/ui/button'
import { accountQueries } from '@/data/account-queries'
import { cn } from '@/lib/utils'
import { AddFunds } from '@/session/add-funds'
import { useCan } from '@/session/can'
import { useMe } from '@/session/session-queries'

const KEY = 'DSP_BALANCE_NOTE'

/** The most urgent notice of a low balance (decisions G-207), until it is dismissed; a more urgent one shows again. */
export function LowBalanceNote() {
  const { t } = useTranslation()
  const me = useMe()
  const reads = useCan()('balance.read')
  const { data: funds } = useQuery({ ...accountQueries.balance(me.space_id), enabled: reads })
  const [dismissed, setDismissed] = useState(() => sessionStorage.getItem(KEY))
  const notice = funds?.notices[0]
  if (funds === undefined || notice === undefined) return null
  const key = `${me.space_id} ${notice}`
  if (dismissed === key) return null
  const urgent = notice === 'empty' || notice === 'runway_1'
  return (
    <output
      className={cn(
        'flex items-center gap-3 py-1 pr-2 pl-4 text-[0.8125rem]/4.5 [&>svg]:size-4 [&>svg]:shrink-0',
        urgent ? 'bg-destructive-tint text-destructive-strong' : 'bg-warning-tint text-warning',
      )}
    >
      <TriangleAlert aria-hidden />
      <p className="grow py-1">{t(`balance.notice.${notice}`, { amount: formatMoney(funds.available, funds.currency) })}</p>
      <AddFunds className="h-7" />
      <Button
        variant="ghost"
        size="icon"
        aria-label={t('dismiss')}
        onClick={() => {
          sessionStorage.setItem(KEY, key)
          setDismissed(key)
        }}
      >
        <X aria-hidden />
      </Button>
    </output>
  )
}
