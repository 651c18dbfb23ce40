/** Identifiers of a static audience (platform.md §5, decisions G-220): device ids and full phone numbers without + or 00. */

export const IDENTIFIER_KINDS = ['device', 'phone'] as const
export type IdentifierKind = (typeof IDENTIFIER_KINDS)[number]
/** What a column holds: one kind, or either of them in each row. */
export type ColumnKind = IdentifierKind | 'any'

/** Why a row of a file is not counted. */
export const REJECTIONS = ['empty', 'prefix', 'notFull', 'anonymous', 'format'] as const
export type RowRejection = (typeof REJECTIONS)[number]

export type ReadIdentifier =
  | { readonly kind: IdentifierKind; readonly value: string }
  | { readonly kind: 'rejected'; readonly reason: RowRejection }

const DEVICE = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/
/** Advertising ids of people who opted out of tracking. */
const OPTED_OUT = /^[0-]+$/
const PHONE = /^[1-9]\d{7,14}$/
const PHONE_MARKS = /[\s().-]+/g

/** Longest cell that is read as an identifier, characters: no number with its marks is longer. */
const LONGEST = 200

const rejected = (reason: RowRejection): ReadIdentifier => ({ kind: 'rejected', reason })

/**
 * One cell as an identifier in its normal form: a device id in lower case with dashes, a phone number as its 8 to 15 digits. Spaces,
 * dots, dashes and brackets in phone numbers do not count.
 */
export function readIdentifier(cell: string, as: ColumnKind): ReadIdentifier {
  const written = cell.trim()
  if (written === '') return rejected('empty')
  if (written.length > LONGEST) return rejected('format')
  const text = written.toLowerCase()
  if (as !== 'phone' && DEVICE.test(text)) return deviceOf(text)
  return as === 'device' ? rejected('format') : phoneOf(text)
}

function deviceOf(text: string): ReadIdentifier {
  if (OPTED_OUT.test(text)) return rejected('anonymous')
  if (text.length === 36) return { kind: 'device', value: text }
  const hex = text.replaceAll('-', '')
  const value = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  return { kind: 'device', value }
}

function phoneOf(text: string): ReadIdentifier {
  if (PHONE.test(text)) return { kind: 'phone', value: text }
  const digits = text.replaceAll(PHONE_MARKS, '')
  if (/^(\+|00)\d/.test(digits)) return rejected('prefix')
  if (/^0\d{5,}$/.test(digits) || /^\d{5,7}$/.test(digits)) return rejected('notFull')
  return PHONE.test(digits) ? { kind: 'phone', value: digits } : rejected('format')
}

/** The text that is hashed: the kind is part of it, so that no phone number equals a device id. */
export const hashedText = (kind: IdentifierKind | 'visitor', value: string): string => `${kind}:${value}`

/** The text of a visitor of events. A visitor whose id is a device id is the device of static audiences. */
export function hashedVisitor(visitor: string): string {
  const read = readIdentifier(visitor, 'device')
  return read.kind === 'rejected' ? hashedText('visitor', visitor.trim()) : hashedText(read.kind, read.value)
}

/** The full number of a phone as people write it; null when it is none. */
export function phoneNumber(written: string): string | null {
  const read = readIdentifier(written.trim().replace(/^(\+|00)/, ''), 'phone')
  return read.kind === 'phone' ? read.value : null
}
