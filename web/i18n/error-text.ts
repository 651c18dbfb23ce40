import { t } from 'i18next'
import { CATALOGUE } from '#domain/kit/errors'
import { lookUp } from './look-up.ts'
import { AppError, NO_ANSWER, NOT_PROVED, OFFLINE, SESSION_CHANGED, supportCodeOf, type ServerFault } from '@/data/app-error'

const catalogue = new Map<number, { key: string; message: string }>(
  Object.entries(CATALOGUE).map(([code, entry]) => [Number(code), entry]),
)

/** Translates the catalogue's message. A more specific message of the server is shown unchanged. */
function sentence(code: number, message: string): string {
  const entry = catalogue.get(code)
  if (entry !== undefined && (message === '' || message === entry.message)) return lookUp(`faults:codes.${entry.key}`) ?? message
  return message === '' ? t('somethingWrong') : message
}

export function faultText(fault: ServerFault): string {
  const translated = fault.key === undefined ? null : lookUp(`faults:${fault.key}`, fault.params)
  return translated ?? sentence(fault.code, fault.message)
}

/** Why something failed, for what shows the code for support beside it. */
export function reasonText(error: unknown): string {
  if (!(error instanceof AppError)) return t('somethingWrong')
  if (error.code === OFFLINE) return t('offline')
  if (error.code === NO_ANSWER) return t('noAnswer')
  if (error.code === SESSION_CHANGED) return t('sessionChange.refused')
  if (error.code === NOT_PROVED) return t('notProved')
  return sentence(error.code, error.message)
}

export const supportText = (code: string): string => t('support.tell', { code })

/** Why something failed; of an unexpected error also what to tell support. */
export function errorText(error: unknown): string {
  const [reason, code] = [reasonText(error), supportCodeOf(error)]
  if (code === null) return reason
  return `${reason}${/[.!?]$/.test(reason) ? '' : '.'} ${supportText(code)}`
}
