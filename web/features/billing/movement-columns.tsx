import { useTranslation } from 'react-i18next'
import type { LedgerMovement } from '#contract/ledger'
import type { DataColumn } from '@/components/data-table/table-view'
import { Money } from '@/components/money'
import { formatMinute } from '@/i18n/format'
import { cn } from '@/lib/utils'

/** Date, cause, person and amount of a movement, and the balance after it. */
export function useMovementColumns(currency: string): readonly DataColumn<LedgerMovement>[] {
  const { t } = useTranslation('billing')
  return [
    {
      id: 'at',
      header: t('movements.at'),
      width: 'w-44',
      className: 'whitespace-nowrap tabular-nums',
      cell: ({ at }) => <time dateTime={at}>{formatMinute(at)}</time>,
    },
    {
      id: 'what',
      header: t('movements.what'),
      rowHeader: true,
      cell: (movement) => (
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{t(`movements.types.${movement.type}`)}</span>
          <span className="text-muted-foreground font-normal wrap-anywhere">
            <Cause of={movement} />
          </span>
        </span>
      ),
    },
    { id: 'by', header: t('movements.by'), width: 'w-44', className: 'truncate', cell: ({ actor }) => actor },
    {
      id: 'amount',
      header: t('movements.amount'),
      numeric: true,
      width: 'w-36',
      cell: ({ amount }) => (
        <Money
          value={amount}
          currency={currency}
          within={(text) => (amount > 0 ? `+${text}` : text)}
          className={cn('font-medium', amount > 0 && 'text-success')}
        />
      ),
    },
    {
      id: 'balance',
      header: t('movements.balance'),
      numeric: true,
      width: 'w-36',
      cell: ({ balance_after: after }) => <Money value={after} currency={currency} className="text-muted-foreground" />,
    },
  ]
}

function Cause({ of: { settlement, settlements, cause, type } }: { readonly of: LedgerMovement }) {
  const { t } = useTranslation('billing')
  if (settlement !== null && settlements !== null)
    return settlements === 1 ? null : t('movements.charges', { count: settlements })
  // Ids say nothing to a reader; reasons do.
  return type === 'credit' || type === 'correction' ? cause : null
}
