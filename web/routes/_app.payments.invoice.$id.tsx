import { createFileRoute, redirect } from '@tanstack/react-router'
import { can } from '@/session/can'
import { InvoicePage } from '@/features/billing/invoices/invoice-page'

export const Route = createFileRoute('/_app/payments/invoice/$id')({
  beforeLoad: ({ context }) => {
    if (!can(context.me, 'invoice.read')) throw redirect({ to: '/', replace: true })
  },
  component: OwnInvoice,
})

function OwnInvoice() {
  return <InvoicePage id={Route.useParams().id} />
}
