import { AppError } from '@/data/app-error'
import { errorText, faultText } from '@/i18n/error-text'
import { useErrorText } from '../campaign-form-context.ts'

/** A file rejected before upload; the message is a translation key. */
export class Unusable extends Error {}

/** Explains why a file was rejected. `failed` is the text when neither the client nor the server gives a reason. */
export function useUploadReason(failed: string) {
  const textOf = useErrorText()
  return (error: unknown): string => {
    if (error instanceof Unusable) return textOf('custom', error.message)
    if (!(error instanceof AppError) || error.code <= 0) return failed
    const [fault] = error.faults
    return fault === undefined ? errorText(error) : faultText(fault)
  }
}
