import { FieldsDialog, type FieldsDialogProps } from '@/components/form/fields-dialog'
import { accountQueries } from '@/data/account-queries'
import { invoiceQueries } from './invoice-queries.ts'

/** A dialog that takes a step of an invoice. */
export const InvoiceDialog = (props: Omit<FieldsDialogProps, 'invalidates'>) => (
  <FieldsDialog invalidates={[invoiceQueries.all(), accountQueries.all(), ['billing']]} {...props} />
)
