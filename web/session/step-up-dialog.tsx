import { useMutation } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { prove } from '#contract/step-up'
import { FormDialog } from '@/components/form/form-dialog'
import { showFaults, useShortForm } from '@/components/form/short-form'
import { AppError } from '@/data/app-error'
import { call } from '@/data/client'
import { errorOfNoField } from '@/data/field-faults'
import { stepUp, type ProofAsked } from '@/data/step-up'
import { errorText } from '@/i18n/error-text'
import '@/i18n/texts/profile'
import { PasskeyButton } from './passkey-button.tsx'
import { proveWithPasskey } from './passkeys.ts'
import { ProofFields } from './proof-fields.tsx'
import { leaveFor } from './sign-on.ts'

type Values = { readonly password: string; readonly code: string }

const TOO_MANY = 429

/** Asks the user over the page to prove that it is them. The calls that were refused go on afterwards (web/data/step-up.ts). */
export function StepUpDialog({ asked: { methods, sign_on: provider } }: { readonly asked: ProofAsked }) {
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
  const asksForPassword = methods.includes('password')
  const isOverLimit = send.error instanceof AppError && send.error.status === TOO_MANY
  const ownError = errorOfNoField(send.error)
  const problem = ownError === null ? null : isOverLimit ? t('proof.limit') : errorText(ownError)
  return (
    <FormDialog
      title={t('proof.title')}
      description={provider === undefined ? t('proof.text') : t('proof.signOnText', { provider: provider.name })}
      form={form}
      guarded={false}
      error={problem}
      confirm={provider === undefined ? t('proof.confirm') : t('proof.signOn', { provider: provider.name })}
      disabled={provider === undefined && (send.isPending || !isReady)}
      {...(provider !== undefined && {
        onConfirm: () => leaveFor(provider.id, location.pathname + location.search),
      })}
      onClose={() => stepUp.answer(false)}
      onSubmit={(values) => send.mutate(values)}
    >
      {asksForPassword && <ProofFields asksForCode={asksForCode} />}
      {methods.includes('passkey') && (
        <PasskeyButton
          label={t('session:passkey.use')}
          onUse={async () => {
            await proveWithPasskey()
            stepUp.answer(true)
          }}
        />
      )}
    </FormDialog>
  )
}
