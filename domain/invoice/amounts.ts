import { MICROS, type Micros } from '../kit/money.ts'
import { minorUnit } from '../payment/amounts.ts'

/** What is to be paid for an exact total: rounded to the currency's minor unit, halves away from zero. The difference is one line. */
export function rounded(total: Micros, currency: string): { readonly payable: Micros; readonly rounding: Micros } {
  const unit = minorUnit(currency)
  const size = Math.abs(total)
  const rest = size % unit
  const payable = Math.sign(total) * (size - rest + (rest * 2 >= unit ? unit : 0))
  return { payable: payable === 0 ? 0 : payable, rounding: payable - total }
}

/**
 * The lines of a document in minor units, whose sum is what is to be paid (fine print 70): rounded down, and the missing units go to
 * the largest remainders, of equal ones to the first.
 */
export function printedLines(amounts: readonly Micros[], payable: Micros, currency: string): readonly Micros[] {
  // Documents from before minor units were those of the currency have two decimals.
  const unit = payable % minorUnit(currency) === 0 ? minorUnit(currency) : MICROS / 100
  const down = amounts.map((amount) => Math.floor(amount / unit) * unit)
  const missing = Math.round((payable - down.reduce((sum, amount) => sum + amount, 0)) / unit)
  const byRemainder = amounts.map((amount, line) => ({ line, rest: amount - (down[line] ?? 0) }))
  const raised = new Set(
    byRemainder
      .toSorted((a, b) => b.rest - a.rest)
      .slice(0, Math.max(0, missing))
      .map(({ line }) => line),
  )
  return down.map((amount, line) => (raised.has(line) ? amount + unit : amount))
}

/** Digits after the point of amounts in a document. */
export const printedDigits = (payable: Micros, currency: string): number =>
  payable % minorUnit(currency) === 0 ? Math.round(Math.log10(MICROS / minorUnit(currency))) : 2

/** `NG-2026-000123`: the white-label, the year of issue, and a number without gaps in the white-label. */
export const documentNumber = (whitelabelId: string, year: number, number: number): string =>
  `${whitelabelId.toUpperCase()}-${year}-${String(number).padStart(6, '0')}`
