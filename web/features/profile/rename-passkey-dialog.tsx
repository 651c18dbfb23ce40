import { useTranslation } from 'react-i18next'
import { renamePasskey } from '#contract/passkeys'
import { FieldsDialog, textOf } from '@/components/form/fields-dialog'
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
      fields={[{ name: 'name', label: t('passkeys.name'), kind: 'text', required: true }]}
      initial={{ name }}
      currency=""
      confirm={t('save')}
      send={(values) => call(renamePasskey, { params: { id }, body: { name: textOf(values, 'name') ?? '' } })}
      invalidates={[['profile']]}
      done={t('saved')}
      onClose={onClose}
    />
  )
}
