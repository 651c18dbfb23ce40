import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { confirmApproval, listApprovals, rejectApproval, type Approval } from '#contract/approvals'
import { formatMoney } from '@/components/money'
import { Button } from '@/components/ui/button'
import { accountQueries } from '@/data/account-queries'
import { call } from '@/data/client'
import { formatExact } from '@/i18n/format'
import { toast } from '@/lib/toast'
import { invoiceQueries } from '../invoices/invoice-queries.ts'

const waiting = () => queryOptions({ queryKey: ['approvals'] as const, queryFn: ({ signal }) => call(listApprovals, { signal }) })

/** Money by hand that waits for a second person; nothing while there is none. */
export function WaitingApprovals() {
  const { t } = useTranslation('invoices')
  const { data } = useQuery(waiting())
  const approvals = data?.approvals ?? []
  if (approvals.length === 0) return null
  return (
    <section aria-label={t('approvals.title')} className="bg-card border-border flex flex-col gap-3 rounded-xl border p-4">
      <h2 className="text-[15px]/6 font-semibold">{t('approvals.title')}</h2>
      <ul className="divide-border flex flex-col divide-y">
        {approvals.map((one) => (
          <Row key={one.id} approval={one} />
        ))}
      </ul>
    </section>
  )
}

function Row({ approval }: { readonly approval: Approval }) {
  const { t } = useTranslation('invoices')
  const { id, kind, amount, currency, space_name: name, by, comment, may_decide: mayDecide } = approval
  const meta = { invalidates: [waiting().queryKey, invoiceQueries.all(), accountQueries.all(), ['billing'], ['white-labels']] }
  const params = { id }
  const confirm = useMutation({
    meta,
    mutationFn: () => call(confirmApproval, { params }),
    onSuccess: () => toast.success(t('approvals.confirmed')),
  })
  const reject = useMutation({
    meta,
    mutationFn: () => call(rejectApproval, { params }),
    onSuccess: () => toast.success(t('approvals.rejected')),
  })
  const busy = confirm.isPending || reject.isPending
  const sum = amount === null ? t('approvals.none') : currency === null ? formatExact(amount) : formatMoney(amount, currency)
  return (
    <li className="flex flex-wrap items-center gap-3 py-2">
      <span className="flex min-w-0 grow flex-col">
        <span className="truncate font-medium">
          {t(`approvals.${kind === 'credit' && (amount ?? 0) < 0 ? 'correction' : kind}`, { name })}
        </span>
        <span className="text-muted-foreground truncate text-xs">
          {comment === '' ? by : t('approvals.asked', { by, comment })}
        </span>
      </span>
      <span className="tabular-nums">{sum}</span>
      <span className="flex gap-2">
        {mayDecide && (
          <Button size="sm" disabled={busy} onClick={() => confirm.mutate()}>
            {t('approvals.confirm')}
          </Button>
        )}
        <Button size="sm" variant="outline" disabled={busy} onClick={() => reject.mutate()}>
          {t(mayDecide ? 'approvals.reject' : 'approvals.withdraw')}
        </Button>
      </span>
    </li>
  )
}
