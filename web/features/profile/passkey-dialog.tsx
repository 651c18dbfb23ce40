import { useMutation } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { addPasskey, beginPasskey } from '#contract/passkeys'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { TextField } from '@/components/form/fields'
import { ShortForm, showFaults, useShortForm } from '@/components/form/short-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { call } from '@/data/client'
import { fieldFaults } from '@/data/field-faults'
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
    // What is wrong with the passkey itself stands at its name.
    onError: (error) => void showFaults(form, error, { fieldOf: (path) => (path.startsWith('credential') ? 'name' : path) }),
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel title={t('passkeys.addTitle')} description={t('passkeys.addText')}>
        <ShortForm form={form} guarded={false} onSubmit={(values) => add.mutate(values)} className="flex min-h-0 flex-col">
          <DialogPanelBody>
            <TextField<keyof Values> name="name" label={t('passkeys.name')} help={t('passkeys.nameHelp')} maxLength={100} />
            {add.isError && Object.keys(fieldFaults(add.error)).length === 0 && (
              <p role="alert" className="text-destructive text-xs">
                {isKnownDevice(add.error)
                  ? t('passkeys.known')
                  : isGivenUp(add.error)
                    ? t('passkeys.givenUp')
                    : failureText(add.error)}
              </p>
            )}
          </DialogPanelBody>
          <DialogPanelFooter>
            <Button type="button" variant="ghost" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" disabled={add.isPending || name.trim() === ''}>
              {t('passkeys.continue')}
            </Button>
          </DialogPanelFooter>
        </ShortForm>
      </DialogPanel>
    </Dialog>
  )
}
