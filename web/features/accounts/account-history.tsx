import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { AccountHistoryEntry, AccountRecord } from '#contract/accounts'
import { DataTable } from '@/components/data-table/data-table'
import { pageParam } from '@/components/data-table/list-search'
import type { DataColumn } from '@/components/data-table/table-view'
import { useListPage } from '@/components/data-table/use-list-page'
import { LogImage } from '@/components/empty-images'
import { formatMoney } from '@/components/money'
import { EmptyState } from '@/components/ui/empty-state'
import { accountQueries } from '@/data/account-queries'
import { formatExact, formatMinute } from '@/i18n/format'
import { lookUp } from '@/i18n/look-up'

const ROWS = 25

type AccountHistoryProps = { readonly account: AccountRecord; readonly page: number }

/** History of an account, newest first. */
export function AccountHistory({ account: { space_id, currency }, page }: AccountHistoryProps) {
  const { t } = useTranslation('accounts')
  const navigate = useNavigate({ from: '/admin/user/details/$id' })
  const loaded = useQuery(accountQueries.history(space_id, page))
  const list = useListPage({
    query: loaded,
    search: { page },
    onSearch: (patch, history) =>
      void navigate({
        search: (previous) => ({ ...previous, page: pageParam(patch.page) }),
        replace: history === 'replace',
        resetScroll: false,
      }),
    rowChoices: [ROWS],
    failed: t('history.error'),
  })
  return (
    <DataTable
      caption={t('history.table')}
      columns={useHistoryColumns(currency)}
      rowId={({ id }) => id}
      {...list}
      nothing={<EmptyState image={<LogImage />} title={t('history.none')} />}
      testId="account-event"
    />
  )
}

function useHistoryColumns(currency: string): readonly DataColumn<AccountHistoryEntry>[] {
  const { t } = useTranslation('accounts')
  return [
    {
      id: 'at',
      header: t('history.at'),
      width: 'w-44',
      className: 'whitespace-nowrap tabular-nums align-top',
      cell: ({ at }) => <time dateTime={at}>{formatMinute(at)}</time>,
    },
    { id: 'what', header: t('history.what'), rowHeader: true, cell: (entry) => <What entry={entry} currency={currency} /> },
    { id: 'actor', header: t('history.actor'), width: 'w-48', className: 'align-top', cell: ({ actor }) => actor.name },
  ]
}

function What({ entry, currency }: { readonly entry: AccountHistoryEntry; readonly currency: string }) {
  const { t } = useTranslation('accounts')
  const amount = entry.amount === null ? '' : formatMoney(entry.amount, currency)
  const value = (one: unknown): string => {
    if (one === null || one === '') return t('unset')
    if (typeof one === 'boolean') return t(one ? 'yes' : 'no')
    if (typeof one === 'number') return formatExact(one)
    const text = typeof one === 'string' ? one : ''
    return lookUp(`accounts:types.${text}`) ?? lookUp(`accounts:sources.${text}`) ?? lookUp(`common:right.${text}`) ?? text
  }
  return (
    <div className="flex min-w-0 flex-col gap-0.5 wrap-anywhere">
      {/* A newer server may know other events. */}
      <span className="font-medium">{lookUp(`accounts:history.event.${entry.type}`, { amount }) ?? entry.type}</span>
      {entry.changes.map(({ field, from, to }) => {
        const name = lookUp(`accounts:fields.${field}`) ?? field
        return (
          <span key={field} className="text-muted-foreground text-xs">
            {from === null && to === null ? name : t('history.from', { field: name, from: value(from), to: value(to) })}
          </span>
        )
      })}
      {entry.reason !== null && (
        <span className="text-muted-foreground text-xs">{t('history.reason', { reason: entry.reason })}</span>
      )}
    </div>
  )
}
