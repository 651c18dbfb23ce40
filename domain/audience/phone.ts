import type { Normalisation } from './normalisations.ts'
import { normalised } from './normalisations.ts'

/** Numbering plans of all countries. `commands/formats/phone` implements it. */
export type Numbering = {
  /** Whether digits with their country code are a number of a plan. */
  readonly isNumber: (digits: string) => boolean
  /** The digits of a number with +, an international prefix, or in the national form of the country; null for none. */
  readonly fullNumber: (written: string, country: string | null) => string | null
}

/** How phone numbers are read (decisions G-220). */
export type PhoneReading = {
  readonly numbering: Numbering
  /** ISO 3166-1 alpha-2 in upper case: whose national form is known; null for none. */
  readonly country: string | null
  /** Whether numbers with +, 00 or in the national form count too. */
  readonly anyForm: boolean
  /** Whether the column holds numbers in the national form: digits that are both are that, and no full number of another country. */
  readonly national?: boolean
}

/** Why a cell is no phone number. */
export type PhoneRejection = 'prefix' | 'notFull' | 'scientific' | 'ip' | 'date' | 'plan' | 'format'
export type ReadPhone =
  | { readonly digits: string; readonly changes: readonly Normalisation[] }
  | { readonly rejected: PhoneRejection }

const FULL = /^[1-9]\d{7,14}$/
const SCIENTIFIC = /^\d+(?:[.,]\d+)?e\+?\d+$/i
const IP_ADDRESS = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:[:/]\d+)?$/
const DAY = '(?:0?[1-9]|[12]\\d|3[01])'
const MONTH = '(?:0?[1-9]|1[0-2])'
/** Also with a time behind it. */
const DATE = new RegExp(
  `^(?:(?:19|20)\\d\\d([-./])${MONTH}\\1${DAY}|(?:${DAY}([-./])${MONTH}|${MONTH}([-./])${DAY})(?:\\2|\\3)(?:(?:19|20)\\d\\d|\\d\\d))(?:[t ,]+\\d.*)?$`,
  'i',
)
/** Output of software that takes numbers for decimals: the only point or comma, with zeros alone behind it. */
const DECIMAL = /^([^.,]*\d)[.,]0+$/
const AMOUNT = /^\d+[.,]\d{1,2}$/
const WRITTEN = /^[+(\d][\d\s().\-/]*$/
/** Two numbers in a cell, or one with an extension: a bracket at the end, or a slash behind more than an area. */
const SEVERAL = /\(\d+\)$|\s\/|\/\s|\/.*\/|^\D*(?:\d\D*){7,}\//
const MARKS = /[\s().\-/]+/g
const TRUNK = /\(0\)/
const INTERNATIONAL = /^(?:\+|00)(?=\d)/
const NATIONAL = /^(?:0\d{5,14}|\d{5,7})$/

const no = (rejected: PhoneRejection): ReadPhone => ({ rejected })
const UNCHANGED: readonly Normalisation[] = []

/**
 * A cell as the digits of a full phone number. Spaces, dots, dashes, slashes and brackets between the digits do not count; `(0)` and a
 * final `.0` are left out. What is no number of a numbering plan is rejected, and so are dates, addresses and rounded numbers.
 */
export function readPhone(cell: string, reading: PhoneReading): ReadPhone {
  // Nearly every cell of a good file ends here.
  if (FULL.test(cell) && isFull(cell, cell, reading)) return { digits: cell, changes: UNCHANGED }
  const { text, changes } = normalised(cell)
  if (SCIENTIFIC.test(text)) return no('scientific')
  if (IP_ADDRESS.test(text)) return no('ip')
  if (DATE.test(text)) return no('date')
  const decimal = DECIMAL.exec(text)?.[1]
  if (decimal !== undefined && decimal.replaceAll(/\D/g, '').length >= 6) {
    const whole = readPhone(decimal, reading)
    return 'rejected' in whole ? whole : { digits: whole.digits, changes: [...changes, 'decimal', ...whole.changes] }
  }
  if (AMOUNT.test(text) || !WRITTEN.test(text) || SEVERAL.test(text)) return no('format')
  const digits = text.replaceAll(MARKS, '')
  const marked = digits === text ? changes : [...changes, 'marks' as const]
  if (!TRUNK.test(text)) return judged(digits, text, marked, reading)
  // Italy dials the 0 that other countries leave out.
  const whole = judged(digits, text, marked, reading)
  if (!('rejected' in whole)) return whole
  const shorter = text.replace(TRUNK, '')
  return judged(shorter.replaceAll(MARKS, ''), shorter, [...changes, 'trunk'], reading)
}

function judged(digits: string, written: string, changes: readonly Normalisation[], reading: PhoneReading): ReadPhone {
  const { numbering, anyForm, country } = reading
  if (FULL.test(digits) && isFull(digits, written, reading)) return { digits, changes }
  const international = INTERNATIONAL.test(digits)
  if (anyForm) {
    const full = international ? fromInternational(digits, numbering) : null
    const found = full ?? numbering.fullNumber(written, country)
    if (found !== null) return { digits: found, changes: [...changes, 'completed'] }
  }
  if (international) return no('prefix')
  if (NATIONAL.test(digits)) return no('notFull')
  if (!FULL.test(digits)) return no('format')
  return no(!anyForm && country !== null && numbering.fullNumber(written, country) !== null ? 'notFull' : 'plan')
}

/** Whether digits are a full number, and not rather one in the national form of the column. */
function isFull(digits: string, written: string, { numbering, country, national = false }: PhoneReading): boolean {
  if (!numbering.isNumber(digits)) return false
  const completed = national ? numbering.fullNumber(written, country) : null
  return completed === null || completed === digits
}

/** Whether a cell is a number in the national form of a country alone, or a full number alone; null for both and for none. */
export function formOf(cell: string, { numbering, country }: PhoneReading): 'national' | 'full' | null {
  const { text } = normalised(cell)
  if (!WRITTEN.test(text) || text.includes('+')) return null
  const digits = text.replaceAll(MARKS, '')
  const full = FULL.test(digits) && numbering.isNumber(digits)
  const completed = numbering.fullNumber(text, country)
  const isNational = completed !== null && completed !== digits
  return full === isNational ? null : full ? 'full' : 'national'
}

function fromInternational(digits: string, { isNumber }: Numbering): string | null {
  const full = digits.replace(INTERNATIONAL, '')
  return FULL.test(full) && isNumber(full) ? full : null
}
