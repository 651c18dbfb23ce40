import { t } from 'i18next'
import { AppError, NOT_PROVED } from '@/data/app-error'
import { errorText } from '@/i18n/error-text'

/** Why a change of the user's own security failed, where no field says it. */
export const failureText = (error: unknown): string =>
  error instanceof AppError && error.code === NOT_PROVED ? errorText(error) : t('profile:password.failed')
