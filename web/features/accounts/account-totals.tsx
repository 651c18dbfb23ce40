import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountsAsked } from '#contract/accounts'
import { Money } from '@/components/money'
import { Skeleton } from '@/components/ui/skeleton'
import { accountQueries } from '@/data/account-queries'
import { formatCount } from '@/i18n/format'

/** Totals over the filtered accounts, money by currency. */
export function AccountTotals({ filter }: { readonly filter: AccountsAsked }) {
  const { t } = useTranslation('accounts')
  const { data, error } = useQuery(accountQueries.totals(filter))
  // The list says what went wrong.
  if (error !== null && data === undefined) return null
  const money = (by: Readonly<Record<string, number>> | undefined) => {
    const amounts = Object.entries(by ?? {})
    return amounts.length === 0
      ? '–'
      : amounts.map(([currency, value]) => <Money key={currency} value={value} currency={currency} />)
  }
  return (
    <dl
      aria-label={t('totals.label')}
      className="border-border bg-card grid grid-cols-2 gap-px overflow-hidden rounded-lg border lg:grid-cols-4"
    >
      <Total name={t('totals.accounts')} loading={data === undefined}>
        {formatCount(data?.count ?? 0)}
      </Total>
      <Total name={t('totals.suspended')} loading={data === undefined}>
        {formatCount(data?.suspended ?? 0)}
      </Total>
      <Total name={t('totals.balance')} loading={data === undefined}>
        {money(data?.balance)}
      </Total>
      <Total name={t('totals.spent')} loading={data === undefined}>
        {money(data?.spent)}
      </Total>
    </dl>
  )
}

const Total = ({
  name,
  loading,
  children,
}: {
  readonly name: string
  readonly loading: boolean
  readonly children: ReactNode
}) => (
  <div className="flex flex-col gap-0.5 px-4 py-3">
    <dt className="text-muted-foreground text-xs">{name}</dt>
    <dd className="flex flex-wrap gap-x-3 text-[0.9375rem]/6 font-semibold tabular-nums">
      {loading ? <Skeleton className="h-5 w-24" /> : children}
    </dd>
  </div>
)
