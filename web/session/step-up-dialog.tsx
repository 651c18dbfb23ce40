import { useMutation } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { prove } from '#contract/step-up'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { ShortForm, showFaults, useShortForm } from '@/components/form/short-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { AppError } from '@/data/app-error'
import { call } from '@/data/client'
import { fieldFaults } from '@/data/field-faults'
import { stepUp, type ProofMethods } from '@/data/step-up'
import { errorText } from '@/i18n/error-text'
import '@/i18n/texts/profile'
import { PasskeyButton } from './passkey-button.tsx'
import { proveWithPasskey } from './passkeys.ts'
import { ProofFields } from './proof-fields.tsx'

type Values = { readonly password: string; readonly code: string }

const TOO_MANY = 429

/** Asks the user over the page to prove that it is them. The calls that were refused go on afterwards (web/data/step-up.ts). */
export function StepUpDialog({ methods }: { readonly methods: ProofMethods }) {
  const { t } = useTranslation(['profile', 'session'])
  const form = useShortForm<Values>({ password: '', code: '' })
  const [password, code] = useWatch({ control: form.control, name: ['password', 'code'] })
  const asksForCode = methods.includes('code')
  const send = useMutation({
    meta: { silent: true, invalidates: [['profile', 'sign-ins']] },
    mutationFn: (values: Values) =>
      call(prove, { body: { password: values.password, ...(asksForCode ? { code: values.code.trim() } : {}) } }),
    onSuccess: () => stepUp.answer(true),
    onError: (error) => void showFaults(form, error),
  })
  const isReady = password !== '' && (!asksForCode || code.trim() !== '')
  const isOverLimit = send.error instanceof AppError && send.error.status === TOO_MANY
  return (
    <Dialog open onOpenChange={(open) => !open && stepUp.answer(false)}>
      <DialogPanel
        title={t('proof.title')}
        description={t('proof.text')}
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          form.setFocus('password')
        }}
      >
        <ShortForm form={form} guarded={false} onSubmit={(values) => send.mutate(values)} className="flex min-h-0 flex-col">
          <DialogPanelBody>
            <ProofFields asksForCode={asksForCode} />
            {send.isError && Object.keys(fieldFaults(send.error)).length === 0 && (
              <p role="alert" className="text-destructive text-xs">
                {isOverLimit ? t('proof.limit') : errorText(send.error)}
              </p>
            )}
            {methods.includes('passkey') && (
              <PasskeyButton
                label={t('session:passkey.use')}
                onUse={async () => {
                  await proveWithPasskey()
                  stepUp.answer(true)
                }}
              />
            )}
          </DialogPanelBody>
          <DialogPanelFooter>
            <Button type="button" variant="ghost" onClick={() => stepUp.answer(false)}>
              {t('cancel')}
            </Button>
            <Button type="submit" disabled={send.isPending || !isReady}>
              {t('proof.confirm')}
            </Button>
          </DialogPanelFooter>
        </ShortForm>
      </DialogPanel>
    </Dialog>
  )
}
