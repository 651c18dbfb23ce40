import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor, renewRecoveryCodes } from '#contract/profile'
import { DialogFrame, DialogStep } from '@/components/dialog-frame'
import { TextField } from '@/components/form/fields'
import { ShortForm, showFaults, useShortForm } from '@/components/form/short-form'
import { call } from '@/data/client'
import { toast } from '@/lib/toast'
import { errorOfNoField } from '@/data/field-faults'
import { failureText } from './failure-text.ts'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export type SecondFactorTask = 'set-up' | 'renew' | 'remove'

type SecondFactorDialogProps = { readonly task: SecondFactorTask; readonly onClose: () => void }
type Values = { readonly code: string }
type Step =
  | { readonly name: 'start' }
  | { readonly name: 'scan'; readonly secret: string; readonly url: string }
  | { readonly name: 'codes'; readonly codes: readonly string[] }

const REFRESHED = [['profile'], ['session', 'me']] as const

/** Setting up, renewing the recovery codes, and switching off: each begins with what it means. */
export function SecondFactorDialog({ task, onClose }: SecondFactorDialogProps) {
  const { t } = useTranslation('profile')
  const [step, setStep] = useState<Step>({ name: 'start' })
  const form = useShortForm<Values>({ code: '' })
  const code = useWatch({ control: form.control, name: 'code' })
  const send = useMutation({
    meta: { silent: true, invalidates: REFRESHED },
    mutationFn: async ({ code }: Values): Promise<Step | null> => {
      if (step.name === 'scan') {
        const { recovery_codes: codes } = await call(confirmSecondFactor, { body: { code } })
        return { name: 'codes', codes }
      }
      if (task === 'set-up') return { name: 'scan', ...(await call(beginSecondFactor, { body: {} })) }
      if (task === 'renew') {
        const { recovery_codes: codes } = await call(renewRecoveryCodes, { body: {} })
        return { name: 'codes', codes }
      }
      await call(removeSecondFactor, { body: {} })
      return null
    },
    onSuccess: (next) => {
      if (next !== null) return setStep(next)
      toast.success(t('factor.removed'))
      onClose()
    },
    onError: (error) => void showFaults(form, error),
  })
  return (
    <DialogFrame title={t(`factor.dialog.${task}`)} closable={step.name !== 'codes'} onClose={onClose}>
      {step.name === 'codes' ? (
        <RecoveryCodes codes={step.codes} onDone={onClose} />
      ) : (
        <ShortForm form={form} guarded={false} onSubmit={(values) => send.mutate(values)} className="flex min-h-0 flex-col">
          <DialogStep
            confirm={t(step.name === 'scan' ? 'factor.confirm' : `factor.next.${task}`)}
            tone={task === 'remove' ? 'destructive' : 'default'}
            disabled={send.isPending || (step.name === 'scan' && code.trim() === '')}
            error={errorOfNoField(send.error) === null ? null : failureText(send.error)}
            onCancel={onClose}
          >
            {step.name === 'scan' ? (
              <>
                <p className="text-[0.8125rem]/5 text-pretty">{t('factor.scan')}</p>
                <QrCode text={step.url} label={t('factor.qr')} className="mx-auto size-44" />
                <p className="text-muted-foreground text-xs">
                  {t('factor.byHand')}{' '}
                  <code translate="no" className="text-foreground font-mono break-all select-all">
                    {step.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
                  </code>
                </p>
              </>
            ) : (
              <p className="text-[0.8125rem]/5 text-pretty">{t(`factor.start.${task}`)}</p>
            )}
            {step.name === 'scan' && (
              <TextField<keyof Values>
                name="code"
                label={t('factor.code')}
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={20}
                inputClassName="font-mono tracking-widest"
              />
            )}
          </DialogStep>
        </ShortForm>
      )}
    </DialogFrame>
  )
}
