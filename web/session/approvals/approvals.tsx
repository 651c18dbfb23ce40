import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { confirmApproval, listApprovals, rejectApproval, type Approval } from '#contract/approvals'
import { formatMoney } from '@/components/money'
import { Button } from '@/components/ui/button'
import { accountQueries } from '@/data/account-queries'
import { call } from '@/data/client'
import { formatExact, formatMinute } from '@/i18n/format'
import { toast } from '@/lib/toast'
import '@/i18n/texts/approvals'

const all = ['approvals'] as const
const approvalsIn = (state: 'waiting' | 'decided') =>
  queryOptions({
    queryKey: [...all, state] as const,
    queryFn: ({ signal }) => call(listApprovals, { query: { state }, signal }),
  })

type ApprovalsProps = {
  readonly kinds: readonly Approval['kind'][]
  readonly roleNames?: (roles: Approval['roles']) => string
}

/** Commands that wait for a second person, and those that were decided; nothing while there is neither. */
export function Approvals({ kinds, roleNames = () => '' }: ApprovalsProps) {
  const { t } = useTranslation('approvals')
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery(approvalsIn('waiting'))
  const { data: decided } = useQuery(approvalsIn('decided'))
  const waiting = data?.approvals.filter(({ kind }) => kinds.includes(kind)) ?? []
  const past = decided?.approvals.filter(({ kind }) => kinds.includes(kind)) ?? []
  if (waiting.length + past.length === 0) return null
  return (
    <section aria-label={t('title')} className="bg-card border-border flex flex-col gap-3 rounded-xl border p-4">
      {waiting.length > 0 && <h2 className="text-[15px]/6 font-semibold">{t('title')}</h2>}
      <List approvals={waiting} roleNames={roleNames} />
      {past.length > 0 && (
        <Button variant="link" size="sm" className="self-start px-0" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'hideDecided' : 'showDecided')}
        </Button>
      )}
      {isOpen && <List approvals={past} roleNames={roleNames} />}
    </section>
  )
}

type ListProps = { readonly approvals: readonly Approval[]; readonly roleNames: (roles: Approval['roles']) => string }

function List({ approvals, roleNames }: ListProps) {
  if (approvals.length === 0) return null
  return (
    <ul className="divide-border flex flex-col divide-y">
      {approvals.map((one) => (
        <Row key={one.id} approval={one} roles={roleNames(one.roles)} />
      ))}
    </ul>
  )
}

function Row({ approval, roles }: { readonly approval: Approval; readonly roles: string }) {
  const { t } = useTranslation(['approvals', 'common'])
  const { kind, amount, currency, space_name: account, person, subject, changes, by, comment, state, at } = approval
  const shown = kind === 'credit' && (amount ?? 0) < 0 ? 'correction' : kind
  const right = approval.right === null ? '' : t(`common:right.${approval.right}`)
  const asked = { by, at: formatMinute(at), comment }
  const decision = { by: approval.decided_by ?? '', at: formatMinute(approval.decided_at ?? at) }
  return (
    <li className="flex flex-wrap items-center gap-3 py-2">
      <span className="flex min-w-0 grow flex-col">
        <span className="font-medium wrap-anywhere">
          {t(`kind.${shown}`, { name: person ?? subject ?? account, roles, right })}
        </span>
        {changes.map(({ field, from, to }) => (
          <span key={field} className="text-xs wrap-anywhere whitespace-pre-line">
            {t('change', { field: t(`field.${field}`), from: from || t('empty'), to: to || t('empty') })}
          </span>
        ))}
        <span className="text-muted-foreground text-xs wrap-anywhere">
          {t(comment === '' ? 'asked' : 'askedWith', asked)}
          {state === 'waiting' && approval.expires_at !== null && ` · ${t('until', { at: formatMinute(approval.expires_at) })}`}
        </span>
        {state !== 'waiting' && <span className="text-muted-foreground text-xs">{t(`state.${state}`, decision)}</span>}
      </span>
      <span className="tabular-nums">{useSum(kind, amount, currency)}</span>
      {state === 'waiting' && <Decision approval={approval} />}
    </li>
  )
}

/** Empty where it is not about money. */
function useSum(kind: Approval['kind'], amount: number | null, currency: string | null): string {
  const { t } = useTranslation('approvals')
  if (amount === null) return kind === 'limit' ? t('none') : ''
  return currency === null ? formatExact(amount) : formatMoney(amount, currency)
}

function Decision({ approval }: { readonly approval: Approval }) {
  const { t } = useTranslation('approvals')
  const { id, may_decide: mayDecide, may_withdraw: mayWithdraw } = approval
  const meta = {
    invalidates: [
      all,
      ['invoices'],
      accountQueries.all(),
      ['billing'],
      ['white-labels'],
      ['team'],
      ['single-sign-on'],
      ['sign-on'],
    ],
  }
  const params = { id }
  const confirm = useMutation({
    meta,
    mutationFn: () => call(confirmApproval, { params }),
    onSuccess: () => toast.success(t('confirmed')),
  })
  const reject = useMutation({
    meta,
    mutationFn: () => call(rejectApproval, { params }),
    onSuccess: () => toast.success(t(mayWithdraw ? 'withdrawn' : 'rejected')),
  })
  const busy = confirm.isPending || reject.isPending
  return (
    <span className="flex gap-2">
      {mayDecide && (
        <Button size="sm" disabled={busy} onClick={() => confirm.mutate()}>
          {t('confirm')}
        </Button>
      )}
      <Button size="sm" variant="outline" disabled={busy} onClick={() => reject.mutate()}>
        {t(mayWithdraw ? 'withdraw' : 'reject')}
      </Button>
    </span>
  )
}
