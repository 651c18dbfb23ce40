import { z } from '#contract/zod'
import { MONEY_LIMIT, toMicros } from '#domain/kit/money'
import { isUnclear, readDecimal } from '@/i18n/decimal'

/** Returns the error of a typed amount, or null. */
function amountFault(typed: string): 'notANumber' | 'amountUnclear' | 'amountTooLarge' | 'amountTooPrecise' | null {
  const amount = readDecimal(typed)
  if (amount === null) return null
  if (Number.isNaN(amount)) return isUnclear(typed) ? 'amountUnclear' : 'notANumber'
  if (amount > MONEY_LIMIT) return 'amountTooLarge'
  return toMicros(amount) === null ? 'amountTooPrecise' : null
}

/** Schema of a typed amount of money. `notANumber` is the message for text that is not a number. */
export const amount = (notANumber: string) =>
  z.string().check(
    z.superRefine((typed, context) => {
      const fault = amountFault(typed)
      if (fault !== null)
        context.addIssue({ code: 'custom', message: fault === 'notANumber' ? notANumber : `form:errors.${fault}` })
    }),
  )
