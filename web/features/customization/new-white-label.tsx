import { isEmail } from '#domain/kit/validators'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '@/components/form/form-dialog'
import { TextField } from '@/components/form/fields'
import { markSaved, showFaults, useShortForm } from '@/components/form/short-form'
import { errorToast } from '@/i18n/error-toast'
import { toast } from '@/lib/toast'
import { customizationMutations } from './customization-queries.ts'

type Values = { readonly id: string; readonly name: string; readonly owner_email: string }
type NewWhiteLabelProps = { readonly onClose: () => void; readonly onCreated: (id: string) => void }

/** A dialog for the id, the name and the first owner of a new white-label; everything else is customised after it. */
export function NewWhiteLabel({ onClose, onCreated }: NewWhiteLabelProps) {
  const { t } = useTranslation(['customization', 'faults'])
  const create = useMutation(customizationMutations.create())
  const form = useShortForm<Values>({ id: '', name: '', owner_email: '' }, ({ owner_email }) => ({
    owner_email: isEmail(owner_email.trim()) ? null : t('faults:emailAddress'),
  }))
  const submit = ({ id: typed, name: typedName, owner_email }: Values) => {
    if (create.isPending) return
    create.mutate(
      { id: typed.trim().toLowerCase(), name: typedName.trim(), owner_email: owner_email.trim() },
      {
        onSuccess: ({ id, name }) => {
          toast.success(t('customization:new.done', { name, email: owner_email.trim() }))
          markSaved(form)
          onClose()
          onCreated(id)
        },
        onError: (error) => {
          if (!showFaults(form, error)) errorToast(error)
        },
      },
    )
  }
  return (
    <FormDialog
      title={t('customization:new.title')}
      description={t('customization:new.text')}
      form={form}
      confirm={t('customization:new.create')}
      disabled={create.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField<keyof Values>
        name="id"
        label={t('customization:new.id')}
        help={t('customization:new.idHelp')}
        maxLength={30}
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField<keyof Values> name="name" label={t('customization:field.name')} maxLength={300} />
      <TextField<keyof Values>
        name="owner_email"
        label={t('customization:new.owner')}
        help={t('customization:new.ownerHelp')}
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={300}
      />
    </FormDialog>
  )
}
