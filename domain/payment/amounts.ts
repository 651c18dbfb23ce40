import { fault } from '../kit/faults.ts'
import type { Fault } from '../kit/errors.ts'
import { MICROS, type Micros } from '../kit/money.ts'

/** Amounts of payments by card: what providers can charge in a currency, and what Placard takes at once. */

/** Currencies without a minor unit, and with one of three digits; all others have two digits. */
const WITHOUT_MINOR = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const THREE_DIGITS = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])

const digitsOf = (currency: string): 0 | 2 | 3 => (WITHOUT_MINOR.has(currency) ? 0 : THREE_DIGITS.has(currency) ? 3 : 2)

/** Digits after the point that an amount may have. Card networks take the third digit of a currency only as 0. */
export const decimalsOf = (currency: string): 0 | 2 => (digitsOf(currency) === 0 ? 0 : 2)

/** Micros of one minor unit. */
export const minorUnit = (currency: string): Micros => MICROS / 10 ** digitsOf(currency)
/** Micros of the smallest amount that can be charged. */
const smallest = (currency: string): Micros => MICROS / 10 ** decimalsOf(currency)

/** Micros in minor units of the currency, such as cents; null when that is not exact. */
export const toMinor = (amount: Micros, currency: string): number | null =>
  Number.isSafeInteger(amount) && amount % smallest(currency) === 0 ? amount / minorUnit(currency) : null

/** Minor units of the currency in micros. */
export const fromMinor = (minor: number, currency: string): Micros => minor * minorUnit(currency)

export type RefillLimits = { readonly min: Micros; readonly max: Micros }

/** Units of the currency. Providers charge at most eight digits of minor units. */
const LIMITS: Readonly<Record<string, readonly [min: number, max: number]>> = {
  USD: [10, 100_000],
  EUR: [10, 100_000],
  GBP: [10, 100_000],
  NGN: [1_000, 999_999],
  AMD: [2_000, 999_999],
  TND: [20, 99_999],
}
const OTHERS = [10, 99_999] as const

/** The least and the most that one payment by card may be. */
export function refillLimits(currency: string): RefillLimits {
  const [min, max] = LIMITS[currency] ?? OTHERS
  return { min: min * MICROS, max: max * MICROS }
}

/** Amounts that the screen offers, in units of the currency. */
export function refillPresets(currency: string): readonly number[] {
  const [min] = LIMITS[currency] ?? OTHERS
  return [min * 5, min * 10, min * 50, min * 100]
}

/** Faults of the amount of a payment by card. */
export function amountFaults(amount: Micros, currency: string, path = 'amount'): readonly Fault[] {
  const { min, max } = refillLimits(currency)
  if (!(amount > 0)) return [fault(path, 2, 'positiveNumber')]
  if (amount < min || amount > max) return [fault(path, 2, 'outOfRange', { min: min / MICROS, max: max / MICROS })]
  if (amount % smallest(currency) !== 0) return [fault(path, 2, 'decimals', { max: decimalsOf(currency) })]
  return []
}
