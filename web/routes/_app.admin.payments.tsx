import { createFileRoute, redirect } from '@tanstack/react-router'
import { can } from '@/session/can'
import { billingSearch } from '@/features/billing/billing-search'
import { PaymentsPage } from '@/features/billing/payments-page'

export const Route = createFileRoute('/_app/admin/payments')({
  validateSearch: billingSearch,
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'account.list')) throw redirect({ to: '/', replace: true })
  },
  component: PaymentsPage,
})
