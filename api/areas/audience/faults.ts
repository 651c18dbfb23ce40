import { refusedFile } from '#commands/files/file-fault'
import { refused, type Refused } from '#commands/refused'
import { fault } from '#domain/campaign/saving/faults'
import type { Fault } from '#domain/kit/errors'
import { isShownName } from '#domain/kit/validators'
import { AUDIENCE_NAME } from '#contract/audiences'

/** Audiences of one account. */
export const MOST_AUDIENCES = 500

export const EMPTY_FILE = 'Audience file is empty'
export const emptyFile = (): Refused =>
  refused(2, [{ path: 'file', code: 2, message: EMPTY_FILE, key: 'audienceEmpty' }], EMPTY_FILE)
export const tooLarge = (): Refused =>
  refused(181, [{ path: 'file', code: 181, message: 'File size invalid', key: 'audienceBytes' }])
export const tooManyAudiences = (): Refused => refusedFile('name', 2, 'tooMany', { max: MOST_AUDIENCES })
export const nameTaken = (): Refused => refused(183, [{ path: 'name', code: 183, message: 'Audience name exists' }])

/** Faults of a name; characters that PostgreSQL cannot store are among them. */
export function nameFaults(name: string): readonly Fault[] {
  if (name === '') return [{ path: 'name', code: 2, message: 'Field is required.', key: 'required' }]
  if (name.includes('\0') || !name.isWellFormed())
    return [{ path: 'name', code: 2, message: 'A name must not hold NUL characters or broken surrogates', key: 'fileName' }]
  if (!isShownName(name)) return [fault('name', 2, 'shownName')]
  const params = { max: AUDIENCE_NAME }
  return name.length > AUDIENCE_NAME
    ? [{ path: 'name', code: 2, message: `Maximum ${AUDIENCE_NAME} characters allowed!`, key: 'maxLength', params }]
    : []
}
