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
import { NewPasswordFields } from './password-fields.tsx'
import { SettingsSection } from '@/components/settings-section'

const EMPTY = { old: '', password: '', confirmation: '' }

/** A new password; every other session ends with it. */
export function PasswordSection() {
  const { t } = useTranslation('profile')
  const [open, setOpen] = useState(false)
  const [draft, setDraft] = useState(EMPTY)
  const [sent, setSent] = useState(false)
  const mismatch = sent && draft.password !== draft.confirmation ? t('password.mismatch') : undefined
  const change = useMutation({
    meta: { silent: true, invalidates: [['profile']] },
    mutationFn: async () => {
      const grant = await call(changePassword, { body: { oldPassword: draft.old, newPassword: draft.password } })
      storeGrant(grant, now())
    },
    onSuccess: () => {
      toast.success(t('password.done'))
      close()
    },
  })
  const faults = fieldFaults(change.error)
  function close() {
    setOpen(false)
    setDraft(EMPTY)
    setSent(false)
    change.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSent(true)
    if (draft.password === draft.confirmation) change.mutate()
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
          <LabelledField label={t('password.old')} error={faults['oldPassword']}>
            <FieldInput
              type="password"
              name="current-password"
              autoComplete="current-password"
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form was just opened by its button
              autoFocus
              value={draft.old}
              onChange={({ target }) => setDraft({ ...draft, old: target.value })}
            />
          </LabelledField>
          <NewPasswordFields
            password={draft.password}
            confirmation={draft.confirmation}
            onPassword={(password) => setDraft({ ...draft, password })}
            onConfirmation={(confirmation) => setDraft({ ...draft, confirmation })}
            fault={faults['newPassword']}
            mismatch={mismatch}
          />
          {change.isError && Object.keys(faults).length === 0 && (
            <p role="alert" className="text-destructive text-xs">
              {t('password.failed')}
            </p>
          )}
          <div className="flex gap-2">
            <Button type="submit" disabled={change.isPending || draft.old === '' || draft.password === ''}>
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
