import { faultText } from '@/i18n/error-text'
import { AppError } from './app-error.ts'

/** The texts of a refusal by field. The path of a fault may begin with `body.`. */
export function fieldFaults(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof AppError)) return {}
  return Object.fromEntries(error.faults.map((fault) => [fault.path.replace(/^body\./, ''), faultText(fault)]))
}
