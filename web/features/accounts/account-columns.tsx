import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { AccountRecord } from '#contract/accounts'
import { AccountPicture } from '@/session/account-picture'
import type { DataColumn } from '@/components/data-table/table-view'
import { Money } from '@/components/money'
import { formatCount, formatDay } from '@/i18n/format'
import { AccountStatus } from './account-status.tsx'

export function useAccountColumns(): readonly DataColumn<AccountRecord>[] {
  const { t } = useTranslation('accounts')
  return [
    {
      id: 'name',
      header: t('columns.name'),
      sortable: 'asc',
      rowHeader: true,
      cell: (account) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <AccountPicture name={account.space_name} pictureId={account.profile_image?.picture_id ?? null} />
          {account.id === null ? (
            <span className="truncate font-medium">{account.space_name}</span>
          ) : (
            <Link
              to="/admin/user/details/$id"
              params={{ id: account.id }}
              data-focus="name"
              className="truncate rounded-[3px] font-medium hover:underline"
            >
              {account.space_name}
            </Link>
          )}
        </span>
      ),
    },
    {
      id: 'owner',
      header: t('columns.owner'),
      hideable: true,
      className: 'min-w-0',
      cell: ({ first_name, last_name, email }) =>
        email === null ? (
          <span className="text-muted-foreground">{t('noOwner')}</span>
        ) : (
          <span className="block min-w-0">
            <span className="block truncate">{[first_name, last_name].filter(Boolean).join(' ')}</span>
            <span className="text-muted-foreground block truncate text-xs">{email}</span>
          </span>
        ),
    },
    {
      id: 'status',
      header: t('columns.status'),
      hideable: true,
      width: 'w-40',
      cell: (account) => <AccountStatus account={account} />,
    },
    {
      id: 'balance',
      header: t('columns.balance'),
      sortable: 'desc',
      numeric: true,
      hideable: true,
      width: 'w-32',
      cell: ({ opened, balance, currency }) => (opened ? <Money value={balance} currency={currency} /> : '–'),
    },
    {
      id: 'spent',
      header: t('columns.spent'),
      sortable: 'desc',
      numeric: true,
      hideable: true,
      width: 'w-32',
      cell: ({ opened, spent, currency }) => (opened ? <Money value={spent} currency={currency} /> : '–'),
    },
    {
      id: 'campaigns',
      header: t('columns.campaigns'),
      numeric: true,
      hideable: true,
      width: 'w-32',
      cell: ({ campaigns, running_campaigns: running }) => (
        <span>
          {formatCount(campaigns)}
          {running > 0 && (
            <span className="text-muted-foreground block text-xs">{t('running', { running: formatCount(running) })}</span>
          )}
        </span>
      ),
    },
    {
      id: 'created_at',
      header: t('columns.created_at'),
      sortable: 'desc',
      hideable: true,
      width: 'w-32',
      className: 'whitespace-nowrap tabular-nums',
      cell: ({ created_at: at }) => <time dateTime={at}>{formatDay(at)}</time>,
    },
  ]
}
