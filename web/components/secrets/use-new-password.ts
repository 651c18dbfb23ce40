import { useTranslation } from 'react-i18next'
import { PASSWORD_TEXTS, passwordFault, type PasswordFault, type PasswordOwner } from '#domain/account/password'
import { AppError } from '@/data/app-error'
import { errorText } from '@/i18n/error-text'
import '@/i18n/texts/secrets'

type PasswordError = PasswordFault | 'mismatch'

/** The fields of a new password, as they start. */
export const NEW_PASSWORD = { password: '', confirmation: '' }
export type NewPassword = typeof NEW_PASSWORD

const SERVER = new Map(Object.entries(PASSWORD_TEXTS).map(([key, text]) => [text, key as PasswordError]))

/** The first error of a new password: match, strength, personal data, in this order (decisions G-171). */
function passwordError({ password, confirmation }: NewPassword, owner: PasswordOwner | null): PasswordError | null {
  return password === confirmation ? passwordFault(password, owner) : 'mismatch'
}

/**
 * The checks of a form with a new password, whose faults stand under its confirmation. `owner` is null while it is not known whose
 * password it is.
 */
export function usePasswordChecks(owner: PasswordOwner | null) {
  const { t } = useTranslation('secrets')
  return {
    check: (typed: NewPassword) => {
      const error = passwordError(typed, owner)
      return { confirmation: error === null ? null : t(`password.${error}`) }
    },
    /** A refusal of the server: a text of the rule in the user's language. */
    refusal: (failure: unknown): string => {
      const messages = failure instanceof AppError ? [failure.message, ...failure.faults.map(({ message }) => message)] : []
      const known = messages.map((message) => SERVER.get(message)).find((key) => key !== undefined)
      return known === undefined ? errorText(failure) : t(`password.${known}`)
    },
  }
}
