import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { changePassword } from '#contract/profile'
import { TextField } from '@/components/form/fields'
import { ShortForm, showFaults, useShortForm } from '@/components/form/short-form'
import { Button } from '@/components/ui/button'
import { call } from '@/data/client'
import { now } from '@/lib/clock'
import { toast } from '@/lib/toast'
import { storeGrant } from '@/session/token-store'
import { fieldFaults } from '@/data/field-faults'
import { PasswordFields } from '@/components/secrets/password-fields'
import { NEW_PASSWORD, usePasswordChecks, type NewPassword } from '@/components/secrets/use-new-password'
import { faultText } from '@/i18n/error-text'
import { useMe } from '@/session/session-queries'
import { SettingsSection } from '@/components/settings-section'

type Values = NewPassword & { readonly oldPassword: string }

/** A new password; every other session ends with it. */
export function PasswordSection() {
  const { t } = useTranslation('profile')
  const [open, setOpen] = useState(false)
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
        <PasswordForm onClose={() => setOpen(false)} />
      ) : (
        <p className="text-muted-foreground text-[0.8125rem]/5">{t('password.closed')}</p>
      )}
    </SettingsSection>
  )
}

function PasswordForm({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('profile')
  const { email, first_name, last_name, company_name } = useMe()
  const { check, refusal } = usePasswordChecks({ first_name, last_name, company_name })
  const form = useShortForm<Values>({ ...NEW_PASSWORD, oldPassword: '' }, check)
  const typed = useWatch({ control: form.control })
  const change = useMutation({
    meta: { silent: true, invalidates: [['profile']] },
    mutationFn: async ({ oldPassword, password }: Values) => {
      const grant = await call(changePassword, { body: { oldPassword, newPassword: password } })
      storeGrant(grant, now())
    },
    onSuccess: () => {
      toast.success(t('password.done'))
      onClose()
    },
    onError: (error) =>
      void showFaults(form, error, {
        fieldOf: (path) => (path === 'newPassword' ? 'confirmation' : path),
        textOf: (fault, field) => (field === 'confirmation' ? refusal(error) : faultText(fault)),
      }),
  })
  return (
    <ShortForm form={form} onSubmit={(values) => change.mutate(values)} className="flex max-w-md flex-col gap-4">
      <TextField<keyof Values>
        name="oldPassword"
        label={t('password.old')}
        type="password"
        autoComplete="current-password"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form was just opened by its button
        autoFocus
      />
      <PasswordFields username={email} labels={{ password: t('password.new'), confirm: t('password.confirm') }} />
      {change.isError && Object.keys(fieldFaults(change.error)).length === 0 && (
        <p role="alert" className="text-destructive text-xs">
          {t('password.failed')}
        </p>
      )}
      <div className="flex gap-2">
        <Button type="submit" disabled={change.isPending || !typed.oldPassword || !typed.password}>
          {t('password.save')}
        </Button>
        <Button variant="ghost" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </ShortForm>
  )
}
