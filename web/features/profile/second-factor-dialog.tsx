import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor, renewRecoveryCodes } from '#contract/profile'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { call } from '@/data/client'
import { toast } from '@/lib/toast'
import { fieldFaults } from '@/data/field-faults'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import type { SecondFactorTask } from './second-factor-section.tsx'

type SecondFactorDialogProps = { readonly task: SecondFactorTask; readonly onClose: () => void }
type Step =
  | { readonly name: 'password' }
  | { readonly name: 'scan'; readonly secret: string; readonly url: string }
  | { readonly name: 'codes'; readonly codes: readonly string[] }

const REFRESHED = [['profile'], ['session', 'me']] as const

/** Setting up, renewing the recovery codes, and switching off: each begins with the password. */
export function SecondFactorDialog({ task, onClose }: SecondFactorDialogProps) {
  const { t } = useTranslation('profile')
  const [step, setStep] = useState<Step>({ name: 'password' })
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const send = useMutation({
    meta: { silent: true, invalidates: REFRESHED },
    mutationFn: async (): Promise<Step | null> => {
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
  })
  const faults = fieldFaults(send.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate()
  }
  const asksForCode = step.name === 'scan' || (step.name === 'password' && task !== 'set-up')
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel title={t(`factor.dialog.${task}`)} closable={step.name !== 'codes'}>
        {step.name === 'codes' ? (
          <RecoveryCodes codes={step.codes} onDone={onClose} />
        ) : (
          <form onSubmit={submit} noValidate className="flex min-h-0 flex-col">
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
                <LabelledField label={t('password.old')} error={faults['password']}>
                  <FieldInput
                    type="password"
                    autoComplete="current-password"
                    value={password}
                    onChange={({ target }) => setPassword(target.value)}
                  />
                </LabelledField>
              )}
              {asksForCode && (
                <LabelledField
                  label={t('factor.code')}
                  help={step.name === 'scan' ? undefined : t('factor.codeHelp')}
                  error={faults['code']}
                >
                  <FieldInput
                    inputMode={step.name === 'scan' ? 'numeric' : 'text'}
                    autoComplete="one-time-code"
                    maxLength={20}
                    className="font-mono tracking-widest"
                    value={code}
                    onChange={({ target }) => setCode(target.value)}
                  />
                </LabelledField>
              )}
              {send.isError && Object.keys(faults).length === 0 && (
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
          </form>
        )}
      </DialogPanel>
    </Dialog>
  )
}
