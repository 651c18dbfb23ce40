import { format as formatDate, parseISO } from 'date-fns'
import i18next from 'i18next'
import { localeOf } from '#domain/kit/languages'
import { dateNames } from './date-names.ts'

const locale = () => localeOf(i18next.language)
const formats = new Map<string, Intl.NumberFormat>()

function number(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale() + JSON.stringify(options)
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(locale(), options)
  formats.set(key, made)
  return made
}

const SYMBOLS: Readonly<Record<string, string>> = { USD: '$', NGN: '₦', AMD: '֏' }

export const formatCount = (value: number) => number({ maximumFractionDigits: 0 }).format(value)
export const formatPercent = (value: number) => `${number({ minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value)}%`

/** Formats a percentage without fixed decimals: 12%, 0.5%. */
export const formatShare = (value: number) => `${number({ maximumFractionDigits: 1 }).format(value)}%`

export const symbolOf = (currency: string) => SYMBOLS[currency] ?? `${currency} `

/** ISO 4217 code of the paying account; null while unknown, which shows the figure alone. There is no default currency. */
export type Currency = string | null

function money(value: number, currency: Currency, decimals: number): string {
  const figure = number({ minimumFractionDigits: 2, maximumFractionDigits: decimals }).format(Math.abs(value))
  return `${value < 0 ? '−' : ''}${currency === null ? '' : symbolOf(currency)}${figure}`
}

/** Formats money with the currency symbol before the figure, in every language (campaigns.md §9). */
export const formatMoney = (value: number, currency: Currency) => money(value, currency, 2)

/** Formats money with exactly this many digits after the point. */
export function formatFixedMoney(value: number, currency: string, digits: number): string {
  const figure = number({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(Math.abs(value))
  return `${value < 0 ? '−' : ''}${symbolOf(currency)}${figure}`
}

/** Formats a number to the millionth, the stored precision. */
export const formatExact = (value: number) => number({ maximumFractionDigits: 6 }).format(value)

/** Formats money to the millionth. */
export const formatExactMoney = (value: number, currency: Currency) => money(value, currency, 6)

/** Formats an instant: in English, or in a language that has its own names of dates. */
const dated = (instant: string | Date, english: string, named: string) => {
  const date = typeof instant === 'string' ? parseISO(instant) : instant
  if (Number.isNaN(date.getTime())) return ''
  const names = dateNames()
  return names === null ? formatDate(date, english) : formatDate(date, named, { locale: names })
}

export const formatDay = (instant: string | Date) => dated(instant, 'MMM dd, yyyy', 'd MMM yyyy')
/** Formats a calendar day given as YYYY-MM-DD, independent of the user's time zone. */
export const formatPlainDay = (day: string) => dated(new Date(`${day}T00:00:00`), 'MMM dd, yyyy', 'd MMM yyyy')
/** Formats an hour of the day, from 0 to 23. */
export const formatHour = (hour: number) => `${String(hour).padStart(2, '0')}:00`
/** Formats an hour of a calendar day. */
export const formatPlainDayOfHour = (day: string, hour: number) => `${formatPlainDay(day)} ${formatHour(hour)}`
export const formatShortDay = (instant: string | Date) => dated(instant, 'MMM dd', 'd MMM')
export const formatMinute = (instant: string | Date) => dated(instant, 'MMM dd, yyyy HH:mm', 'd MMM yyyy HH:mm')

const MINUTE = 60_000
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', MINUTE],
] as const

/** Formats the distance of an instant from now, in the largest unit that fits: "in 3 hr.", "2 days ago", "this minute". */
export function formatDistance(instant: string, now: number): string {
  const distance = Date.parse(instant) - now
  const [unit, size] = UNITS.find(([, milliseconds]) => Math.abs(distance) >= milliseconds) ?? UNITS[2]
  return new Intl.RelativeTimeFormat(locale(), {
    style: 'short',
    numeric: Math.abs(distance) < MINUTE ? 'auto' : 'always',
  }).format(Math.trunc(distance / size), unit)
}
