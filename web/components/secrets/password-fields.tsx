import { Check, Circle, Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MOST_PASSWORD_LENGTH, STRENGTH } from '#domain/account/password'
import { TextField } from '@/components/form/fields'
import { useFormKit, useKitValue } from '@/components/form/form-kit'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { cn } from '@/lib/utils'
import type { NewPassword } from './use-new-password.ts'
import '@/i18n/texts/secrets'

const RULES = [
  ['length', STRENGTH.length],
  ['number', STRENGTH.number],
  ['upper', STRENGTH.upper],
  ['symbol', STRENGTH.symbol],
] as const

type PasswordFieldsProps = {
  /** Labels of the two fields, where they are not just a password and its confirmation. */
  readonly labels?: { readonly password: string; readonly confirm: string }
  /** For password managers. */
  readonly username?: string | undefined
}

/** A new password and its confirmation in a `ShortForm`, with the rules that it meets so far. Their error is shown under the fields. */
export function PasswordFields({ labels, username }: PasswordFieldsProps) {
  const { t } = useTranslation('secrets')
  const [shown, setShown] = useState(false)
  const { form } = useFormKit()
  const typed = useKitValue('password')
  const password = typeof typed === 'string' ? typed : ''
  // Their fault is about both, and is shown under the second.
  const recheck = () => {
    const { invalid, isTouched } = form.getFieldState('confirmation')
    if (invalid || isTouched) void form.trigger('confirmation')
  }
  const both = {
    type: shown ? 'text' : 'password',
    autoComplete: 'new-password',
    required: true,
    maxLength: MOST_PASSWORD_LENGTH,
  }
  return (
    <>
      {username !== undefined && <input type="text" autoComplete="username" value={username} readOnly hidden />}
      <div className="relative">
        <LabelledField label={labels?.password ?? t('password.label')}>
          <FieldInput {...both} {...form.register('password', { onChange: recheck })} className="pr-10" />
        </LabelledField>
        <button
          type="button"
          aria-label={t(shown ? 'password.hide' : 'password.show')}
          onClick={() => setShown(!shown)}
          className="text-muted-foreground hover:text-foreground absolute right-1 bottom-1 grid size-7 place-items-center rounded-md"
        >
          {shown ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}
        </button>
      </div>
      <ul
        aria-label={t('password.rules')}
        className="grid grid-cols-1 gap-x-4 gap-y-1 text-[0.8125rem]/4.5 min-[26rem]:grid-cols-2"
      >
        {RULES.map(([rule, holds]) => {
          const met = holds(password)
          const Icon = met ? Check : Circle
          return (
            <li key={rule} className={cn('flex items-center gap-2', met ? 'text-foreground' : 'text-muted-foreground')}>
              <Icon aria-hidden className={cn('size-3.5 shrink-0', met && 'text-success')} />
              {t(`password.rule.${rule}`)}
              <span className="sr-only">{t(met ? 'password.met' : 'password.unmet')}</span>
            </li>
          )
        })}
      </ul>
      <TextField<keyof NewPassword> {...both} name="confirmation" label={labels?.confirm ?? t('password.confirm')} />
    </>
  )
}
