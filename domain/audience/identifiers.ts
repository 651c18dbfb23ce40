import { normalised, type Normalisation } from './normalisations.ts'
import { readPhone, type PhoneReading, type PhoneRejection } from './phone.ts'

/** Identifiers of a static audience (platform.md §5, decisions G-220): device ids and full phone numbers without + or 00. */

export const IDENTIFIER_KINDS = ['device', 'phone'] as const
export type IdentifierKind = (typeof IDENTIFIER_KINDS)[number]
/** Kind of a column: one kind of identifier, or either of them in each row. */
export type ColumnKind = IdentifierKind | 'any'

/** Why a row of a file is not counted. */
export const REJECTIONS = [
  'empty',
  'prefix',
  'notFull',
  'anonymous',
  'hashed',
  'scientific',
  'ip',
  'date',
  'plan',
  'format',
] as const satisfies readonly (PhoneRejection | 'empty' | 'anonymous' | 'hashed')[]
export type RowRejection = (typeof REJECTIONS)[number]

export type Identifier = {
  readonly kind: IdentifierKind
  readonly value: string
  readonly changes: readonly Normalisation[]
}
export type ReadIdentifier = Identifier | { readonly kind: 'rejected'; readonly reason: RowRejection }

const DEVICE = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/
const BRACED = /^\{(.*)\}$/
/** Advertising ids of people who opted out of tracking. */
const OPTED_OUT = /^[0-]+$/
/** SHA-1 and SHA-256 in hexadecimal digits. */
const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
/** 32 digits are an MD5 unless they have the version and the variant of a UUID, as device ids have. */
const MD5 = /^(?![0-9a-f]{12}[1-8][0-9a-f]{3}[89ab])[0-9a-f]{32}$/

/** Longest cell that is read as an identifier, characters: no number with its marks is longer. */
const LONGEST = 200

const rejected = (reason: RowRejection): ReadIdentifier => ({ kind: 'rejected', reason })
const UNCHANGED: readonly Normalisation[] = []
const SPELT: readonly Normalisation[] = ['device']

/** One cell as an identifier in its normal form: a device id in lower case with dashes, a phone number as its 8 to 15 digits. */
export function readIdentifier(cell: string, as: ColumnKind, reading: PhoneReading): ReadIdentifier {
  const written = cell.trim()
  if (written === '') return rejected('empty')
  if (written.length > LONGEST) return rejected('format')
  if (as !== 'phone') {
    const device = deviceOf(written)
    if (device !== null) return device
  }
  if (written.length >= 40 && HASH.test(normalised(written).text.toLowerCase())) return rejected('hashed')
  if (as === 'device') return rejected('format')
  const read = readPhone(written, reading)
  return 'rejected' in read ? rejected(read.rejected) : { kind: 'phone', value: read.digits, changes: read.changes }
}

/** A device id; null for other text. */
function deviceOf(written: string): ReadIdentifier | null {
  // The shortest has 32 hexadecimal digits.
  if (written.length < 32) return null
  // Nearly every cell of a good file ends here.
  if (written.length === 36 && DEVICE.test(written) && !OPTED_OUT.test(written))
    return { kind: 'device', value: written, changes: UNCHANGED }
  const lower = written.toLowerCase()
  const { text, changes } = DEVICE.test(lower) ? { text: lower, changes: UNCHANGED } : normalised(lower)
  const id = BRACED.exec(text)?.[1]?.trim() ?? text
  if (!DEVICE.test(id)) return null
  if (OPTED_OUT.test(id)) return rejected('anonymous')
  if (MD5.test(id)) return rejected('hashed')
  const value = dashed(id)
  return { kind: 'device', value, changes: value === written ? UNCHANGED : changes.length === 0 ? SPELT : [...changes, 'device'] }
}

function dashed(id: string): string {
  if (id.length === 36) return id
  const hex = id.replaceAll('-', '')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The text that is hashed: the kind is part of it, so that no phone number equals a device id. */
export const hashedText = (kind: IdentifierKind | 'visitor', value: string): string => `${kind}:${value}`

/** The text of a visitor of events. A visitor whose id is a device id is the device of static audiences. */
export function hashedVisitor(visitor: string): string {
  const written = visitor.trim()
  const text = written.toLowerCase()
  return DEVICE.test(text) && !OPTED_OUT.test(text) ? hashedText('device', dashed(text)) : hashedText('visitor', written)
}

/** The digits of a phone as people write it; null when it is none. They need not be in a numbering plan: erasure must find old members. */
export function phoneNumber(written: string): string | null {
  const digits = written.replaceAll(/[\s().-]+/g, '').replace(/^(\+|00)/, '')
  return /^[1-9]\d{7,14}$/.test(digits) ? digits : null
}
