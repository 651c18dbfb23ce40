import { t } from 'i18next'
import { AppError, type ServerFault } from '@/data/app-error'
import { errorText, faultText } from '@/i18n/error-text'
import { lookUp } from '@/i18n/look-up'

const IS_MEMBER = 1401
const CANNOT_BE_INVITED = 1400

/** Puts a refusal that names no field at the address of the invitation, where it is about the invited person. */
export function invitationFault(error: unknown): unknown {
  if (!(error instanceof AppError) || error.faults.length > 0) return error
  const { code, key, status } = error
  if (code !== IS_MEMBER && code !== CANNOT_BE_INVITED) return error
  const message = t(code === IS_MEMBER ? 'team:fault.member' : 'team:fault.notInvitable')
  return new AppError({ code, key, message, status, faults: [{ path: 'email', code, message }] })
}

/** The text of a fault of the server, by its field. */
export const teamFaultText = (fault: ServerFault): string =>
  fault.key === 'tooMany'
    ? t('team:fault.full', { most: fault.params?.['max'] ?? '' })
    : (lookUp(`registration:fault.${fault.key ?? ''}`) ?? faultText(fault))

const REFUSED: Readonly<Record<number, 'joined' | 'notJoined'>> = { 1401: 'joined', 1402: 'notJoined' }

/** Why an action on a person was refused. */
export function actionFault(error: unknown): string {
  if (!(error instanceof AppError)) return errorText(error)
  const [fault] = error.faults
  if (fault !== undefined) return teamFaultText(fault)
  const known = REFUSED[error.code]
  return known === undefined ? errorText(error) : t(`team:fault.${known}`)
}
