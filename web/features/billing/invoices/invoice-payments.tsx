import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { confirmPayment, rejectPayment, type InvoiceDetails, type InvoicePayment } from '#contract/invoices'
import { DataTable } from '@/components/data-table/data-table'
import type { DataColumn } from '@/components/data-table/table-view'
import { LogImage } from '@/components/empty-images'
import { Money } from '@/components/money'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { accountQueries } from '@/data/account-queries'
import { call } from '@/data/client'
import { formatPlainDay } from '@/i18n/format'
import { toast } from '@/lib/toast'
import { invoiceQueries } from './invoice-queries.ts'

/** Payments and credit notes of an invoice. A payment above the limit is confirmed here by another user. */
export function InvoicePayments({ invoice }: { readonly invoice: InvoiceDetails }) {
  const { t } = useTranslation('invoices')
  return (
    <DataTable
      caption={t('tabs.payments')}
      columns={usePaymentColumns(invoice.currency)}
      rowId={({ id }) => id}
      rows={invoice.payments}
      nothing={<EmptyState image={<LogImage />} title={t('payments.none')} text={t('payments.noneText')} />}
      testId="invoice-payment"
    />
  )
}

function usePaymentColumns(currency: string): readonly DataColumn<InvoicePayment>[] {
  const { t } = useTranslation('invoices')
  return [
    {
      id: 'date',
      header: t('payments.date'),
      width: 'w-32',
      className: 'whitespace-nowrap tabular-nums',
      cell: ({ date }) => formatPlainDay(date),
    },
    {
      id: 'type',
      header: t('payments.type'),
      rowHeader: true,
      cell: (payment) => (
        <span className="flex min-w-0 flex-col wrap-anywhere">
          <span className="font-medium">
            {payment.type === 'logged' && payment.method !== null
              ? t(`methods.${payment.method}`)
              : t(`payments.types.${payment.type}`)}
            {payment.stage !== 'applied' && ` · ${t(`payments.stages.${payment.stage}`)}`}
          </span>
          <span className="text-muted-foreground text-xs">
            {[payment.reference, payment.comment].filter(Boolean).join(' · ')}
          </span>
          {payment.may_decide && <Decide payment={payment} />}
        </span>
      ),
    },
    {
      id: 'by',
      header: t('payments.by'),
      width: 'w-44',
      cell: ({ by, confirmed_by: confirmed }) => (
        <span className="flex flex-col">
          <span className="truncate">{by}</span>
          {confirmed !== null && (
            <span className="text-muted-foreground truncate text-xs">{t('payments.confirmedBy', { name: confirmed })}</span>
          )}
        </span>
      ),
    },
    {
      id: 'amount',
      header: t('payments.amount'),
      numeric: true,
      width: 'w-32',
      cell: ({ amount }) => <Money value={amount} currency={currency} />,
    },
    {
      id: 'applied',
      header: t('payments.applied'),
      numeric: true,
      width: 'w-36',
      cell: ({ applied }) => <Money value={applied} currency={currency} />,
    },
  ]
}

function Decide({ payment: { id } }: { readonly payment: InvoicePayment }) {
  const { t } = useTranslation('invoices')
  const meta = { invalidates: [invoiceQueries.all(), accountQueries.all(), ['billing']] }
  const confirm = useMutation({
    meta,
    mutationFn: () => call(confirmPayment, { params: { id } }),
    onSuccess: () => toast.success(t('payments.confirmed')),
  })
  const reject = useMutation({
    meta,
    mutationFn: () => call(rejectPayment, { params: { id }, body: { comment: '' } }),
    onSuccess: () => toast.success(t('payments.rejected')),
  })
  const busy = confirm.isPending || reject.isPending
  return (
    <span className="flex gap-2 pt-1.5">
      <Button size="sm" disabled={busy} onClick={() => confirm.mutate()}>
        {t('payments.confirm')}
      </Button>
      <Button size="sm" variant="outline" disabled={busy} onClick={() => reject.mutate()}>
        {t('payments.reject')}
      </Button>
    </span>
  )
}
