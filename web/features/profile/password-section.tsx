import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { changePassword } from '#contract/profile'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { Button } from '@/components/ui/button'
import { call } from '@/data/client'
import { now } from '@/lib/clock'
import { toast } from '@/lib/toast'
import { storeGrant } from '@/session/token-store'
import { fieldFaults } from '@/data/field-faults'
import { PasswordFields } from '@/components/secrets/password-fields'
import { useNewPassword } from '@/components/secrets/use-new-password'
import { UnsavedGuard } from '@/components/form/unsaved-guard'
import { useMe } from '@/session/session-queries'
import { SettingsSection } from '@/components/settings-section'

/** A new password; every other session ends with it. */
export function PasswordSection() {
  const { t } = useTranslation('profile')
  const [open, setOpen] = useState(false)
  const [old, setOld] = useState('')
  const { email, first_name, last_name, company_name } = useMe()
  const password = useNewPassword({ first_name, last_name, company_name })
  const change = useMutation({
    meta: { silent: true, invalidates: [['profile']] },
    mutationFn: async () => {
      const grant = await call(changePassword, { body: { oldPassword: old, newPassword: password.typed.password } })
      storeGrant(grant, now())
    },
    onSuccess: () => {
      toast.success(t('password.done'))
      close()
    },
    onError: (error) => {
      if (fieldFaults(error)['newPassword'] !== undefined) password.refuse(error)
    },
  })
  const faults = fieldFaults(change.error)
  function close() {
    setOpen(false)
    setOld('')
    password.reset()
    change.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    password.leave()
    if (password.isGood) change.mutate()
  }
  return (
    <SettingsSection
      title={t('password.title')}
      text={t('password.text')}
      action={
        !open && (
          <Button variant="outline" onClick={() => setOpen(true)}>
            {t('password.change')}
          </Button>
        )
      }
    >
      {open ? (
        <form onSubmit={submit} noValidate className="flex max-w-md flex-col gap-4">
          <UnsavedGuard unsaved={password.typed.password !== ''} />
          <LabelledField label={t('password.old')} error={faults['oldPassword']}>
            <FieldInput
              type="password"
              name="current-password"
              autoComplete="current-password"
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form was just opened by its button
              autoFocus
              value={old}
              onChange={({ target }) => setOld(target.value)}
            />
          </LabelledField>
          <PasswordFields
            state={password}
            username={email}
            labels={{ password: t('password.new'), confirm: t('password.confirm') }}
          />
          {change.isError && Object.keys(faults).length === 0 && (
            <p role="alert" className="text-destructive text-xs">
              {t('password.failed')}
            </p>
          )}
          <div className="flex gap-2">
            <Button type="submit" disabled={change.isPending || old === '' || password.typed.password === ''}>
              {t('password.save')}
            </Button>
            <Button type="button" variant="ghost" onClick={close}>
              {t('cancel')}
            </Button>
          </div>
        </form>
      ) : (
        <p className="text-muted-foreground text-[0.8125rem]/5">{t('password.closed')}</p>
      )}
    </SettingsSection>
  )
}
