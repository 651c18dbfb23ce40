import { INVOICE_STATUS } from '#domain/invoice/invoice-status'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { InvoiceSummary } from '#contract/invoices'
import type { DataColumn } from '@/components/data-table/table-view'
import { Money } from '@/components/money'
import { formatDay, formatPlainDay } from '@/i18n/format'
import { InvoiceStatus } from './invoice-status.tsx'

type ColumnsOptions = {
  /** Shows the account of each invoice, and opens the page of the administration. */
  readonly admin: boolean
  readonly accounts: boolean
}

export function useInvoiceColumns({ admin, accounts }: ColumnsOptions): readonly DataColumn<InvoiceSummary>[] {
  const { t } = useTranslation('invoices')
  return [
    {
      id: 'number',
      header: t('columns.number'),
      rowHeader: true,
      width: 'w-44',
      cell: ({ id, number, kind }) => (
        <span className="flex flex-col">
          <Link
            to={admin ? '/admin/invoice/details/$id' : '/payments/invoice/$id'}
            params={{ id }}
            data-focus="number"
            className="rounded-[3px] font-medium whitespace-nowrap tabular-nums hover:underline"
          >
            {number ?? t('draft')}
          </Link>
          {kind === 'credit_note' && <span className="text-muted-foreground text-xs">{t('kinds.credit_note')}</span>}
        </span>
      ),
    },
    ...(accounts
      ? [
          {
            id: 'account',
            header: t('columns.account'),
            className: 'min-w-0 truncate',
            cell: ({ space_name: name }: InvoiceSummary) => name,
          },
        ]
      : []),
    {
      id: 'status',
      header: t('columns.status'),
      width: 'w-36 @min-[64rem]:w-42',
      cell: (invoice) => <InvoiceStatus invoice={invoice} />,
    },
    {
      id: 'period',
      header: t('columns.period'),
      width: 'w-36 @min-[64rem]:w-54',
      className: 'tabular-nums @min-[64rem]:whitespace-nowrap',
      cell: ({ charge_from_date: from, charge_to_date: to, dated_at: at }) =>
        from === '' ? formatDay(at) : `${formatPlainDay(from)} – ${formatPlainDay(to)}`,
    },
    {
      id: 'due',
      header: t('columns.due'),
      width: 'w-32',
      className: 'whitespace-nowrap tabular-nums',
      cell: ({ due_at: due }) => (due === null ? '–' : <time dateTime={due}>{formatDay(due)}</time>),
    },
    {
      id: 'total',
      header: t('columns.total'),
      numeric: true,
      width: 'w-32',
      cell: ({ total, currency }) => <Money value={total} currency={currency} />,
    },
    {
      id: 'due_amount',
      header: t('columns.balanceDue'),
      numeric: true,
      width: 'w-32',
      cell: ({ balance_due: due, currency, status }) =>
        status === INVOICE_STATUS.draft || status === INVOICE_STATUS.void ? '–' : <Money value={due} currency={currency} />,
    },
  ]
}
