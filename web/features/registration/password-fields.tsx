import { Check, Circle, Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passwordFault, STRENGTH, type PasswordFault, type PasswordOwner } from '#domain/account/password'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { cn } from '@/lib/utils'

export type PasswordError = PasswordFault | 'mismatch'
type Typed = { readonly password: string; readonly confirmation: string }

/** The first error of a new password: match, strength, personal data, in this order (decisions G-171). */
export function passwordError({ password, confirmation }: Typed, owner: PasswordOwner | null): PasswordError | null {
  return password === confirmation ? passwordFault(password, owner) : 'mismatch'
}

const RULES = [
  ['ruleLength', STRENGTH.length],
  ['ruleNumber', STRENGTH.number],
  ['ruleUpper', STRENGTH.upper],
  ['ruleSymbol', STRENGTH.symbol],
] as const

type PasswordFieldsProps = Typed & {
  /** Shown under the fields. */
  readonly error: string | undefined
  readonly onChange: (typed: Typed) => void
  readonly onLeave: () => void
  /** For password managers. */
  readonly username?: string | undefined
}

/** A new password and its confirmation, with the rules that it meets so far. */
export function PasswordFields({ password, confirmation, error, onChange, onLeave, username }: PasswordFieldsProps) {
  const { t } = useTranslation('registration')
  const [shown, setShown] = useState(false)
  const type = shown ? 'text' : 'password'
  return (
    <>
      {username !== undefined && <input type="text" autoComplete="username" value={username} readOnly hidden />}
      <div className="relative">
        <LabelledField label={t('password.label')}>
          <FieldInput
            type={type}
            autoComplete="new-password"
            required
            maxLength={1000}
            value={password}
            className="pr-10"
            onChange={({ target }) => onChange({ password: target.value, confirmation })}
          />
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
      <ul className="grid grid-cols-1 gap-x-4 gap-y-1 text-[0.8125rem]/4.5 min-[26rem]:grid-cols-2">
        {RULES.map(([rule, holds]) => {
          const met = holds(password)
          const Icon = met ? Check : Circle
          return (
            <li key={rule} className={cn('flex items-center gap-2', met ? 'text-foreground' : 'text-muted-foreground')}>
              <Icon aria-hidden className={cn('size-3.5 shrink-0', met && 'text-success')} />
              {t(`password.${rule}`)}
              <span className="sr-only">{t(met ? 'password.met' : 'password.unmet')}</span>
            </li>
          )
        })}
      </ul>
      <LabelledField label={t('password.confirm')} error={error}>
        <FieldInput
          type={type}
          autoComplete="new-password"
          required
          maxLength={1000}
          value={confirmation}
          onBlur={onLeave}
          onChange={({ target }) => onChange({ password, confirmation: target.value })}
        />
      </LabelledField>
    </>
  )
}
