import { createFileRoute, redirect } from '@tanstack/react-router'
import { can } from '@/session/can'
import { InvoicePage } from '@/features/billing/invoices/invoice-page'

export const Route = createFileRoute('/_app/admin/invoice/details/$id')({
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'account.list')) throw redirect({ to: '/', replace: true })
  },
  component: AdminInvoice,
})

function AdminInvoice() {
  return <InvoicePage id={Route.useParams().id} />
}
