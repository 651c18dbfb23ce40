import { createFileRoute, redirect } from '@tanstack/react-router'
import { can } from '@/session/can'
import { BillingPage } from '@/features/billing/billing-page'
import { billingSearch } from '@/features/billing/billing-search'

export const Route = createFileRoute('/_app/payments/history')({
  validateSearch: billingSearch,
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'balance.read') && !can(context.me, 'invoice.read')) throw redirect({ to: '/', replace: true })
  },
  component: BillingPage,
})
