import { Check, Circle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { STRENGTH } from '#domain/account/password'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { cn } from '@/lib/utils'

const RULES = [
  ['length', STRENGTH.length],
  ['number', STRENGTH.number],
  ['upper', STRENGTH.upper],
  ['special', STRENGTH.symbol],
] as const

type NewPasswordFieldsProps = {
  readonly password: string
  readonly confirmation: string
  readonly onPassword: (text: string) => void
  readonly onConfirmation: (text: string) => void
  readonly fault?: string | undefined
  readonly mismatch?: string | undefined
}

/** A new password and its confirmation, with the rules that it already fulfils. */
export function NewPasswordFields(props: NewPasswordFieldsProps) {
  const { password, confirmation, onPassword, onConfirmation, fault, mismatch } = props
  const { t } = useTranslation('profile')
  return (
    <>
      <LabelledField label={t('password.new')} error={fault}>
        <FieldInput
          type="password"
          name="new-password"
          autoComplete="new-password"
          value={password}
          onChange={({ target }) => onPassword(target.value)}
        />
      </LabelledField>
      <ul aria-label={t('password.rules')} className="-mt-1 grid grid-cols-2 gap-x-4 gap-y-1 text-xs">
        {RULES.map(([rule, holds]) => {
          const met = holds(password)
          const Icon = met ? Check : Circle
          return (
            <li key={rule} className={cn('flex items-center gap-1.5', met ? 'text-success' : 'text-muted-foreground')}>
              <Icon aria-hidden className={cn('shrink-0', met ? 'size-3.5' : 'mx-0.5 size-2.5')} />
              <span>
                {t(`password.rule.${rule}`)}
                {met && <span className="sr-only">{` (${t('password.met')})`}</span>}
              </span>
            </li>
          )
        })}
      </ul>
      <LabelledField label={t('password.confirm')} error={mismatch}>
        <FieldInput
          type="password"
          name="confirm-password"
          autoComplete="new-password"
          value={confirmation}
          onChange={({ target }) => onConfirmation(target.value)}
        />
      </LabelledField>
    </>
  )
}
