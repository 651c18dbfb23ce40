import type { TFunction } from 'i18next'
import { FAILURE_CODES, type FailureCode } from '#domain/payment/failures'
import { z } from '#contract/zod'
import { AppError } from '@/data/app-error'

const declined = z.looseObject({ failure_code: z.enum(FAILURE_CODES) })
const DECLINED = 142

/** Why a payment was declined; null for any other error. */
export function failureOf(error: unknown): FailureCode | null {
  if (!(error instanceof AppError) || error.code !== DECLINED) return null
  const data = declined.safeParse(error.data)
  return data.success ? data.data.failure_code : 'card_declined'
}

export const failureText = (t: TFunction<'billing'>, code: FailureCode): string => t(`refill.failures.${code}`)
