import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RefillRow } from '#contract/payments'
import { DataTable } from '@/components/data-table/data-table'
import type { DataColumn } from '@/components/data-table/table-view'
import { LogImage } from '@/components/empty-images'
import { Money } from '@/components/money'
import { EmptyState } from '@/components/ui/empty-state'
import { StatusDot, toneInk } from '@/components/ui/status-dot'
import { formatMinute } from '@/i18n/format'
import { cn } from '@/lib/utils'
import { cardName } from './card-list.tsx'
import { cardQueries, REFILL_ROWS } from './cards-queries.ts'
import { failureText } from './failure-text.ts'

const TONES = {
  succeeded: 'good',
  processing: 'warn',
  requires_action: 'warn',
  failed: 'bad',
  refunded: 'idle',
  partly_refunded: 'idle',
  disputed: 'bad',
} as const satisfies Record<RefillRow['status'], 'good' | 'warn' | 'bad' | 'idle'>

/** The refill history, ten on a page. */
export function RefillsTable({ spaceId }: { readonly spaceId: string }) {
  const { t } = useTranslation('billing')
  const [page, setPage] = useState(0)
  const { data, error, refetch, isPlaceholderData } = useQuery(cardQueries.refills(spaceId, page))
  return (
    <DataTable
      caption={t('refills.table')}
      columns={useRefillColumns()}
      rowId={({ id }) => id}
      rows={data?.data}
      total={data?.total_size ?? 0}
      view={{ page, rows: REFILL_ROWS, hidden: [] }}
      onView={(view) => setPage(view.page ?? 0)}
      rowChoices={[REFILL_ROWS]}
      busy={isPlaceholderData}
      failed={{ title: t('refills.error'), error, onRetry: () => void refetch() }}
      nothing={<EmptyState image={<LogImage />} title={t('refills.none')} text={t('refills.noneText')} />}
      testId="refill"
      narrow="scroll"
    />
  )
}

function useRefillColumns(): readonly DataColumn<RefillRow>[] {
  const { t } = useTranslation('billing')
  return [
    {
      id: 'at',
      header: t('refills.at'),
      width: 'w-44',
      rowHeader: true,
      className: 'whitespace-nowrap tabular-nums',
      cell: ({ created_at }) => <time dateTime={created_at}>{formatMinute(created_at)}</time>,
    },
    {
      id: 'status',
      header: t('refills.status'),
      cell: ({ status, failure_code }) => (
        <span className="flex flex-col">
          <span className={cn('inline-flex items-center gap-1.5 font-medium', toneInk(TONES[status]))}>
            <StatusDot tone={TONES[status]} />
            {t(`refills.statuses.${status}`)}
          </span>
          {failure_code !== null && (
            <span className="text-muted-foreground text-xs text-pretty">{failureText(t, failure_code)}</span>
          )}
        </span>
      ),
    },
    {
      id: 'card',
      header: t('refills.card'),
      width: 'w-44',
      className: 'whitespace-nowrap tabular-nums',
      cell: ({ card }) => (card === null ? '–' : cardName(card)),
    },
    {
      id: 'by',
      header: t('refills.by'),
      width: 'w-40',
      className: 'truncate',
      cell: ({ origin, actor }) => (origin === 'auto_refill' ? t('refills.auto') : actor),
    },
    {
      id: 'receipt',
      header: t('refills.receipt'),
      width: 'w-40',
      cell: ({ receipt }) =>
        receipt === null ? (
          <span className="text-muted-foreground">–</span>
        ) : (
          <span className="flex flex-col">
            <span className="tabular-nums">{receipt.number}</span>
            <span className="text-muted-foreground text-xs">{t(`refills.receipts.${receipt.status}`)}</span>
          </span>
        ),
    },
    {
      id: 'amount',
      header: t('refills.amount'),
      numeric: true,
      width: 'w-36',
      cell: ({ amount, currency, status }) => (
        <Money value={amount} currency={currency} className={status === 'failed' ? 'text-muted-foreground' : 'font-medium'} />
      ),
    },
  ]
}
