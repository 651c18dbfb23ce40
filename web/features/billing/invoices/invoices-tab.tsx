import type { BillingSearch } from '../billing-search.ts'
import { InvoicesList } from './invoices-list.tsx'

type InvoicesTabProps = {
  readonly spaceId: string
  readonly search: BillingSearch
  readonly onSearch: (patch: Partial<BillingSearch>, history?: 'push' | 'replace') => void
}

/** Invoices of one account. */
export const InvoicesTab = (props: InvoicesTabProps) => <InvoicesList {...props} />

/** Invoices of every account of the white-label. */
export const AdminInvoices = (props: Omit<InvoicesTabProps, 'spaceId'>) => <InvoicesList spaceId={null} {...props} />
