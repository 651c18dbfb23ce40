import { useTranslation } from 'react-i18next'
import { renameAccount } from '#contract/accounts'
import { FieldsDialog } from '@/components/form/fields-dialog'
import { accountQueries } from '@/data/account-queries'
import { call } from '@/data/client'

type RenameAccountDialogProps = { readonly spaceId: string; readonly name: string; readonly onClose: () => void }

/** Another name for an account. */
export function RenameAccountDialog({ spaceId: id, name, onClose }: RenameAccountDialogProps) {
  const { t } = useTranslation('team')
  return (
    <FieldsDialog
      title={t('rename.title', { name })}
      text={t('rename.text')}
      fields={{ name: { label: t('rename.name'), kind: 'text', required: true, initial: name } }}
      confirm={t('rename.confirm')}
      send={(body) => call(renameAccount, { params: { id }, body })}
      invalidates={[['session', 'me'], ['search'], accountQueries.all()]}
      done={t('rename.done')}
      onClose={onClose}
    />
  )
}
