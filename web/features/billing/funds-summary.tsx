import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '@/components/load-error'
import { formatMoney, Money } from '@/components/money'
import { Skeleton } from '@/components/ui/skeleton'
import { accountQueries } from '@/data/account-queries'
import { formatCount } from '@/i18n/format'
import { cn } from '@/lib/utils'

/** Balance of an account, the reserved part of it, and how long it lasts. */
export function FundsSummary({ spaceId }: { readonly spaceId: string }) {
  const { t } = useTranslation('billing')
  const { data: funds, error, refetch } = useQuery(accountQueries.balance(spaceId))
  if (error !== null && funds === undefined)
    return <LoadError title={t('page.error')} error={error} onRetry={() => void refetch()} />
  const money = (value: number | undefined) =>
    funds === undefined || value === undefined ? null : <Money value={value} currency={funds.currency} />
  const runway = funds?.runway_days
  return (
    <dl
      aria-label={t('funds.label')}
      className="border-border bg-card grid grid-cols-2 gap-px overflow-hidden rounded-lg border lg:grid-cols-5"
    >
      <Figure
        name={t('funds.balance')}
        bad={funds !== undefined && funds.balance < 0}
        note={
          funds === undefined || funds.unsettled === 0
            ? undefined
            : t('funds.unsettled', { amount: formatMoney(funds.unsettled, funds.currency) })
        }
      >
        {money(funds?.balance)}
      </Figure>
      <Figure
        name={t('funds.available')}
        note={
          funds === undefined || funds.credit_limit === 0
            ? undefined
            : t('funds.availableNote', { amount: formatMoney(funds.credit_limit, funds.currency) })
        }
      >
        {money(funds?.available)}
      </Figure>
      <Figure name={t('funds.reserved')} note={t('funds.reservedNote')}>
        {money(funds?.reserved)}
      </Figure>
      <Figure name={t('funds.today')}>{money(funds?.spent_today)}</Figure>
      <Figure name={t('funds.runway')}>
        {runway === undefined ? null : runway === null ? (
          <span className="text-muted-foreground font-normal">{t('funds.noSpend')}</span>
        ) : (
          t('funds.days', { count: Math.floor(runway), days: formatCount(Math.floor(runway)) })
        )}
      </Figure>
    </dl>
  )
}

type FigureProps = {
  readonly name: string
  readonly note?: string | undefined
  readonly bad?: boolean
  /** Null while it loads. */
  readonly children: ReactNode
}

const Figure = ({ name, note, bad = false, children }: FigureProps) => (
  <div className="flex flex-col gap-0.5 px-4 py-3">
    <dt className="text-muted-foreground text-xs">{name}</dt>
    <dd className={cn('text-lg/7 font-semibold tabular-nums', bad && 'text-destructive-strong')}>
      {children ?? <Skeleton className="h-6 w-28" />}
    </dd>
    {note !== undefined && <dd className="text-muted-foreground text-xs text-pretty">{note}</dd>}
  </div>
)
