import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PASSWORD_TEXTS, type PasswordOwner } from '#domain/account/password'
import { AppError } from '@/data/app-error'
import { errorText } from '@/i18n/error-text'
import { passwordError, type PasswordError } from './password-fields.tsx'

const SERVER = new Map(Object.entries(PASSWORD_TEXTS).map(([key, text]) => [text, key as PasswordError]))

/** The state of a form with a new password. `owner` is null while it is not known whose password it is. */
export function useNewPassword(owner: PasswordOwner | null) {
  const { t } = useTranslation('registration')
  const [typed, setTyped] = useState({ password: '', confirmation: '' })
  const [left, setLeft] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const error = passwordError(typed, owner)
  return {
    typed,
    isGood: error === null,
    error: refused ?? (left && error !== null ? t(`password.${error}`) : undefined),
    change: (next: typeof typed) => {
      setRefused(null)
      setTyped(next)
    },
    leave: () => setLeft(true),
    /** Shows a refusal of the server: a text of the rule in the user's language. */
    refuse: (failure: unknown) => {
      const known = failure instanceof AppError ? SERVER.get(failure.message) : undefined
      setRefused(known === undefined ? errorText(failure) : t(`password.${known}`))
    },
  }
}
