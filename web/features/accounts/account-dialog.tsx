import { FieldsDialog, type FieldsDialogProps } from '@/components/form/fields-dialog'
import { accountQueries } from '@/data/account-queries'

/** A dialog that changes an account. */
export const AccountDialog = (props: Omit<FieldsDialogProps, 'invalidates'>) => (
  <FieldsDialog invalidates={[accountQueries.all(), ['search']]} {...props} />
)
