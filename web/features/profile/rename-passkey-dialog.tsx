import { useTranslation } from 'react-i18next'
import { renamePasskey } from '#contract/passkeys'
import { FieldsDialog } from '@/components/form/fields-dialog'
import { call } from '@/data/client'

type RenamePasskeyDialogProps = {
  readonly passkey: { readonly id: string; readonly name: string }
  readonly onClose: () => void
}

/** Another name for a passkey. */
export function RenamePasskeyDialog({ passkey: { id, name }, onClose }: RenamePasskeyDialogProps) {
  const { t } = useTranslation('profile')
  return (
    <FieldsDialog
      title={t('passkeys.renameTitle')}
      text={t('passkeys.nameHelp')}
      fields={{ name: { label: t('passkeys.name'), kind: 'text', required: true, initial: name } }}
      confirm={t('save')}
      send={(body) => call(renamePasskey, { params: { id }, body })}
      invalidates={[['profile']]}
      done={t('saved')}
      onClose={onClose}
    />
  )
}
