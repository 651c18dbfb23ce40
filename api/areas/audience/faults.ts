import type { ReadFile } from '#commands/audience/read-file'
import { refusedFile } from '#commands/files/file-fault'
import { refused, type Refused } from '#commands/refused'
import { fault } from '#domain/kit/faults'
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

const UNREADABLE = { key: 'audienceUnreadable', message: 'The file is no table' } as const
const WORKBOOK = {
  key: 'audienceWorkbook',
  message: 'This is an Excel workbook. Save the sheet as CSV UTF-8 and upload that',
} as const
/** Kind of a file that cannot be read. */
const UNREAD: Readonly<Record<NonNullable<ReadFile['fault']>, { readonly key: string; readonly message: string }>> = {
  workbook: WORKBOOK,
  oldWorkbook: WORKBOOK,
  pdf: { key: 'audiencePdf', message: 'This is a PDF. Upload the table that it was made from, as CSV' },
  archive: { key: 'audienceArchive', message: 'This is a packed file. Unpack it and upload the CSV' },
  binary: UNREADABLE,
  cells: UNREADABLE,
  record: UNREADABLE,
  quote: UNREADABLE,
  noColumn: { key: 'audienceNoColumn', message: 'The file has no such column' },
}
export const unreadable = (why: NonNullable<ReadFile['fault']>): Fault => ({
  path: why === 'noColumn' ? 'column' : 'file',
  code: 2,
  ...UNREAD[why],
})

/** 182: no row counts, because they are hashes, because no column qualifies, or because each row is rejected. */
export function noMembers({ column, qualified, rows, reasons }: ReadFile): Fault {
  const params = { column: column ?? '' }
  if ((reasons.hashed ?? 0) * 2 > rows)
    return {
      path: 'file',
      code: 182,
      message: `Column ${params.column} holds hashes, such as SHA-256, which match no one here. Upload the device ids or full phone numbers themselves: they are hashed as they arrive`,
      key: 'audienceHashed',
      params,
    }
  if (!qualified)
    return {
      path: 'column',
      code: 182,
      message: `No column holds device ids or full phone numbers. The likeliest is ${params.column}: name the column to read it`,
      key: 'audienceColumn',
      params,
    }
  return { path: 'file', code: 182, message: 'Audience size invalid' }
}

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
