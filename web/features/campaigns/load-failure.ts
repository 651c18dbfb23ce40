import { t } from 'i18next'
import { AppError } from '@/data/app-error'

const NOT_FOUND = 130

/** Where one campaign is asked for to report on it or to copy it, one that is not there is called so (decisions G-102). */
export const missingOrFailed = (error: unknown): string =>
  t(error instanceof AppError && error.code === NOT_FOUND ? 'campaigns:notFound' : 'campaigns:loadFailed')
