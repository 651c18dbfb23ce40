import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor, renewRecoveryCodes } from '#contract/profile'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { TextField } from '@/components/form/fields'
import { ShortForm, showFaults, useShortForm } from '@/components/form/short-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { call } from '@/data/client'
import { toast } from '@/lib/toast'
import { fieldFaults } from '@/data/field-faults'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import type { SecondFactorTask } from './second-factor-section.tsx'

type SecondFactorDialogProps = { readonly task: SecondFactorTask; readonly onClose: () => void }
type Proof = { readonly password: string; readonly code: string }
type Step =
  | { readonly name: 'password' }
  | { readonly name: 'scan'; readonly secret: string; readonly url: string }
  | { readonly name: 'codes'; readonly codes: readonly string[] }

const REFRESHED = [['profile'], ['session', 'me']] as const

/** Setting up, renewing the recovery codes, and switching off: each begins with the password. */
export function SecondFactorDialog({ task, onClose }: SecondFactorDialogProps) {
  const { t } = useTranslation('profile')
  const [step, setStep] = useState<Step>({ name: 'password' })
  const form = useShortForm({ password: '', code: '' })
  const [password, code] = useWatch({ control: form.control, name: ['password', 'code'] })
  const send = useMutation({
    meta: { silent: true, invalidates: REFRESHED },
    mutationFn: async ({ password, code }: Proof): Promise<Step | null> => {
      if (step.name === 'scan') {
        const { recovery_codes: codes } = await call(confirmSecondFactor, { body: { code } })
        return { name: 'codes', codes }
      }
      if (task === 'set-up') return { name: 'scan', ...(await call(beginSecondFactor, { body: { password } })) }
      if (task === 'renew') {
        const { recovery_codes: codes } = await call(renewRecoveryCodes, { body: { password, code } })
        return { name: 'codes', codes }
      }
      await call(removeSecondFactor, { body: { password, code } })
      return null
    },
    onSuccess: (next) => {
      if (next !== null) return setStep(next)
      toast.success(t('factor.removed'))
      onClose()
    },
    onError: (error) => void showFaults(form, error),
  })
  const asksForCode = step.name === 'scan' || (step.name === 'password' && task !== 'set-up')
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel title={t(`factor.dialog.${task}`)} closable={step.name !== 'codes'}>
        {step.name === 'codes' ? (
          <RecoveryCodes codes={step.codes} onDone={onClose} />
        ) : (
          <ShortForm form={form} guarded={false} onSubmit={(proof) => send.mutate(proof)} className="flex min-h-0 flex-col">
            <DialogPanelBody>
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
                <TextField<keyof Proof>
                  name="password"
                  label={t('password.old')}
                  type="password"
                  autoComplete="current-password"
                />
              )}
              {asksForCode && (
                <TextField<keyof Proof>
                  name="code"
                  label={t('factor.code')}
                  {...(step.name !== 'scan' && { help: t('factor.codeHelp') })}
                  inputMode={step.name === 'scan' ? 'numeric' : 'text'}
                  autoComplete="one-time-code"
                  maxLength={20}
                  inputClassName="font-mono tracking-widest"
                />
              )}
              {send.isError && Object.keys(fieldFaults(send.error)).length === 0 && (
                <p role="alert" className="text-destructive text-xs">
                  {t('password.failed')}
                </p>
              )}
            </DialogPanelBody>
            <DialogPanelFooter>
              <Button type="button" variant="ghost" onClick={onClose}>
                {t('cancel')}
              </Button>
              <Button
                type="submit"
                variant={task === 'remove' ? 'destructive' : 'default'}
                disabled={send.isPending || (step.name === 'password' && password === '') || (asksForCode && code.trim() === '')}
              >
                {t(step.name === 'scan' ? 'factor.confirm' : `factor.next.${task}`)}
              </Button>
            </DialogPanelFooter>
          </ShortForm>
        )}
      </DialogPanel>
    </Dialog>
  )
}
