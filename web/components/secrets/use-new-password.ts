import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PASSWORD_TEXTS, passwordFault, type PasswordFault, type PasswordOwner } from '#domain/account/password'
import { AppError } from '@/data/app-error'
import { errorText } from '@/i18n/error-text'
import '@/i18n/texts/secrets'

type PasswordError = PasswordFault | 'mismatch'
const EMPTY = { password: '', confirmation: '' }

const SERVER = new Map(Object.entries(PASSWORD_TEXTS).map(([key, text]) => [text, key as PasswordError]))

/** The first error of a new password: match, strength, personal data, in this order (decisions G-171). */
function passwordError({ password, confirmation }: typeof EMPTY, owner: PasswordOwner | null): PasswordError | null {
  return password === confirmation ? passwordFault(password, owner) : 'mismatch'
}

export type NewPassword = ReturnType<typeof useNewPassword>

/** The state of a form with a new password. `owner` is null while it is not known whose password it is. */
export function useNewPassword(owner: PasswordOwner | null) {
  const { t } = useTranslation('secrets')
  const [typed, setTyped] = useState(EMPTY)
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
    reset: () => {
      setTyped(EMPTY)
      setLeft(false)
      setRefused(null)
    },
    /** Shows a refusal of the server: a text of the rule in the user's language. */
    refuse: (failure: unknown) => {
      const messages = failure instanceof AppError ? [failure.message, ...failure.faults.map(({ message }) => message)] : []
      const known = messages.map((message) => SERVER.get(message)).find((key) => key !== undefined)
      setRefused(known === undefined ? errorText(failure) : t(`password.${known}`))
    },
  }
}
