import { isValid } from 'date-fns'
import { knownLanguage, LANGUAGES, type Language } from '#domain/kit/languages'
import { toDay } from './date-range.ts'

/** The order of numbers in a date: month, day, year, or day, month, year. */
export type DayOrder = 'MDY' | 'DMY'

const ORDERS: Readonly<Record<Language, DayOrder>> = { en: 'MDY', ru: 'DMY' }
export const dayOrder = (language: string): DayOrder => ORDERS[knownLanguage(language) ?? LANGUAGES[0].code]

/** Which day is meant without a year. */
export type Nearest = 'next' | 'last'
type Missing = { readonly today: Date; readonly nearest: Nearest }
/** Years from this one: 29 February may be eight away. */
const NEARBY = [0, 1, 2, 3, 4, 5, 6, 7, 8]

const FULL = /^\d{4}$/

/** First letters of the months: enough to tell them apart, in both languages. */
const MONTHS = [
  'jan янв',
  'feb фев',
  'mar мар',
  'apr апр',
  'may май мая',
  'jun июн',
  'jul июл',
  'aug авг',
  'sep сен',
  'oct окт',
  'nov ноя',
  'dec дек',
]

const monthNamed = (word: string): number => {
  const start = word.slice(0, 3).toLowerCase()
  return start.length < 3 ? 0 : MONTHS.findIndex((names) => names.split(' ').includes(start)) + 1
}

/**
 * Reads a day as people type it: 11/24/2026 or 24.11.2026 by the order of the language, 2026-11-24, "Nov 24, 2026", "24 ноября".
 * A year of two digits is of this century; a missing one is the next such day from `today` on, or the last such day until then. Returns YYYY-MM-DD, or null when
 * the text is no day.
 */
export function readDay(text: string, order: DayOrder, today: Date, nearest: Nearest = 'next'): string | null {
  // A time of day is none.
  if (text.includes(':')) return null
  const missing = { today, nearest }
  const parts = text.match(/\d+|\p{L}+/gu)?.filter((part) => !/^(г|года|st|nd|rd|th)$/i.test(part)) ?? []
  const words = parts.filter((part) => !/^\d/.test(part))
  const numbers = parts.filter((part) => /^\d/.test(part))
  if (words.length > 1 || parts.length > 3) return null
  if (words.length === 1) {
    const [day = '', year] = FULL.test(numbers[0] ?? '') ? numbers.toReversed() : numbers
    return dayOf(year, monthNamed(words[0] ?? ''), Number(day), missing)
  }
  const [a = '', b = '', c] = numbers
  if (FULL.test(a)) return c === undefined ? null : dayOf(a, Number(b), Number(c), missing)
  const [month, day] = order === 'MDY' ? [Number(a), Number(b)] : [Number(b), Number(a)]
  // 24/11 has one meaning, whatever the order of the language.
  return month > 12 ? dayOf(c, day, month, missing) : dayOf(c, month, day, missing)
}

/** Whether nothing more can be typed to the text: its year has four digits. */
export const isWholeDate = (text: string): boolean => /(^|\D)\d{4}(\D|$)/.test(text)

function dayOf(year: string | undefined, month: number, day: number, { today, nearest }: Missing): string | null {
  if (year === undefined) {
    const found = NEARBY.map((years) => existing(today.getFullYear() + (nearest === 'next' ? years : -years), month, day)).find(
      (each) => each !== null && (nearest === 'next' ? toDay(each) >= toDay(today) : toDay(each) <= toDay(today)),
    )
    return found ? toDay(found) : null
  }
  if (year.length !== 2 && !FULL.test(year)) return null
  const found = existing(Number(year) + (year.length === 2 ? 2000 : 0), month, day)
  return found && toDay(found)
}

/** Null for days that the calendar lacks, such as 30 February. */
function existing(year: number, month: number, day: number): Date | null {
  const date = new Date(year, month - 1, day)
  return isValid(date) && year >= 1000 && date.getMonth() === month - 1 && date.getDate() === day ? date : null
}
