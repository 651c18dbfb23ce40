import { useMutation, useQuery } from '@tanstack/react-query'
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
import { profileQueries } from './profile-queries.ts'
import { ProofFields } from './proof-fields.tsx'

type Values = { readonly name: string; readonly password: string; readonly code: string }

/** A new passkey: the password and a name here, and the rest in the browser's own dialog. */
export function PasskeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('profile')
  const form = useShortForm<Values>({ name: '', password: '', code: '' })
  const [name, password, code] = useWatch({ control: form.control, name: ['name', 'password', 'code'] })
  const asksForCode = useQuery(profileQueries.secondFactor()).data?.on === true
  const add = useMutation({
    meta: { silent: true, invalidates: [['profile']] },
    mutationFn: async (values: Values) => {
      const proof = { password: values.password, ...(asksForCode ? { code: values.code.trim() } : {}) }
      const credential = await makePasskey(await call(beginPasskey, { body: proof }))
      await call(addPasskey, { body: { name: values.name.trim(), credential } })
    },
    onSuccess: () => {
      toast.success(t('passkeys.added'))
      onClose()
    },
    // What is wrong with the passkey itself stands at its name.
    onError: (error) => void showFaults(form, error, { fieldOf: (path) => (path.startsWith('credential') ? 'name' : path) }),
  })
  const isReady = name.trim() !== '' && password !== '' && (!asksForCode || code.trim() !== '')
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel title={t('passkeys.addTitle')} description={t('passkeys.addText')}>
        <ShortForm form={form} guarded={false} onSubmit={(values) => add.mutate(values)} className="flex min-h-0 flex-col">
          <DialogPanelBody>
            <TextField<keyof Values> name="name" label={t('passkeys.name')} help={t('passkeys.nameHelp')} maxLength={100} />
            <ProofFields asksForCode={asksForCode} />
            {add.isError && Object.keys(fieldFaults(add.error)).length === 0 && (
              <p role="alert" className="text-destructive text-xs">
                {t(isKnownDevice(add.error) ? 'passkeys.known' : isGivenUp(add.error) ? 'passkeys.givenUp' : 'password.failed')}
              </p>
            )}
          </DialogPanelBody>
          <DialogPanelFooter>
            <Button type="button" variant="ghost" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" disabled={add.isPending || !isReady}>
              {t('passkeys.continue')}
            </Button>
          </DialogPanelFooter>
        </ShortForm>
      </DialogPanel>
    </Dialog>
  )
}
