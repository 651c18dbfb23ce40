import { faultText } from '@/i18n/error-text'
import { AppError } from './app-error.ts'

/** The texts of a refusal by field. The path of a fault may begin with `body.`; a fault without a path is of no field. */
export function fieldFaults(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof AppError)) return {}
  const faults = error.faults.filter(({ path }) => path !== '')
  return Object.fromEntries(faults.map((fault) => [fault.path.replace(/^body\./, ''), faultText(fault)]))
}

/** The error, unless it is about fields, which show it themselves; null otherwise. */
export const errorOfNoField = (error: Error | null): Error | null =>
  error === null || Object.keys(fieldFaults(error)).length > 0 ? null : error
