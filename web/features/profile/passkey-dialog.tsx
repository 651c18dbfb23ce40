import { useMutation } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { addPasskey, beginPasskey } from '#contract/passkeys'
import { FormDialog } from '@/components/form/form-dialog'
import { TextField } from '@/components/form/fields'
import { showFaults, useShortForm } from '@/components/form/short-form'
import { call } from '@/data/client'
import { errorOfNoField } from '@/data/field-faults'
import { toast } from '@/lib/toast'
import { isGivenUp, isKnownDevice, makePasskey } from '@/session/passkeys'
import { failureText } from './failure-text.ts'

type Values = { readonly name: string }

/** A new passkey: a name here, and the rest in the browser's own dialog. */
export function PasskeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('profile')
  const form = useShortForm<Values>({ name: '' })
  const name = useWatch({ control: form.control, name: 'name' })
  const add = useMutation({
    meta: { silent: true, invalidates: [['profile']] },
    mutationFn: async (values: Values) => {
      const credential = await makePasskey(await call(beginPasskey, { body: {} }))
      await call(addPasskey, { body: { name: values.name.trim(), credential } })
    },
    onSuccess: () => {
      toast.success(t('passkeys.added'))
      onClose()
    },
    // Faults of the passkey itself stand at its name.
    onError: (error) => void showFaults(form, error, { fieldOf: (path) => (path.startsWith('credential') ? 'name' : path) }),
  })
  const problemText = (error: Error) => {
    if (isKnownDevice(error)) return t('passkeys.known')
    return isGivenUp(error) ? t('passkeys.givenUp') : failureText(error)
  }
  const ownError = errorOfNoField(add.error)
  return (
    <FormDialog
      title={t('passkeys.addTitle')}
      description={t('passkeys.addText')}
      form={form}
      guarded={false}
      error={ownError === null ? null : problemText(ownError)}
      confirm={t('passkeys.continue')}
      disabled={add.isPending || name.trim() === ''}
      onClose={onClose}
      onSubmit={(values) => add.mutate(values)}
    >
      <TextField<keyof Values> name="name" label={t('passkeys.name')} help={t('passkeys.nameHelp')} maxLength={100} />
    </FormDialog>
  )
}
