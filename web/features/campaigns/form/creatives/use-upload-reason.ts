import { AppError } from '@/data/app-error'
import { errorText, faultText } from '@/i18n/error-text'
import { useErrorText } from '../campaign-form-context.ts'

/** A file that was found unusable before it was sent; the message is a translation key. */
export class Unusable extends Error {}

/** Why a file was not taken, in words; `failed` where neither this side nor the server has more to say. */
export function useUploadReason(failed: string) {
  const textOf = useErrorText()
  return (error: unknown): string => {
    if (error instanceof Unusable) return textOf('custom', error.message)
    if (!(error instanceof AppError) || error.code <= 0) return failed
    const [fault] = error.faults
    return fault === undefined ? errorText(error) : faultText(fault)
  }
}
