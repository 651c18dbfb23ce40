import { t } from 'i18next'
import { AppError } from '@/data/app-error'

const NOT_FOUND = 130

/** For reports and copies of one campaign: a missing campaign is reported as missing (decisions G-102). */
export const missingOrFailed = (error: unknown): string =>
  t(error instanceof AppError && error.code === NOT_FOUND ? 'campaigns:notFound' : 'campaigns:loadFailed')
