import { MICROS, type Micros } from '../kit/money.ts'
import { minorUnit } from '../payment/amounts.ts'
import { taxOf, type TaxTerms } from './tax.ts'

/** Amount to be paid for an exact total: in whole minor units, halves away from zero. The difference is one line. */
export function rounded(total: Micros, currency: string): { readonly payable: Micros; readonly rounding: Micros } {
  const unit = minorUnit(currency)
  const size = Math.abs(total)
  const rest = size % unit
  const payable = Math.sign(total) * (size - rest + (rest * 2 >= unit ? unit : 0))
  return { payable: payable === 0 ? 0 : payable, rounding: payable - total }
}

/** Sums of an invoice: the exact total of its lines, its rounding, the tax on what is rounded, and what is to be paid. */
export function sumsOf(total: Micros, terms: TaxTerms, currency: string) {
  const { payable: net, rounding } = rounded(total, currency)
  const { tax, payable } = taxOf(net, terms, currency)
  return { total, rounding, tax, payable }
}

/** Price of a thousand impressions, rounded to micros; null where the number of impressions is not known. */
export const cpmOf = (amount: Micros, impressions: number | null): Micros | null =>
  impressions === null || impressions <= 0 ? null : Math.round((amount / impressions) * 1000)

/**
 * A sum of whole units shared in proportion to weights that are not negative, by largest remainder: parts are whole units, add up to
 * the sum, and each is less than a unit from its exact share. Weights of 0 alone share evenly.
 */
export function shared(sum: Micros, weights: readonly number[], unit: Micros): readonly Micros[] {
  const all = weights.reduce((total, weight) => total + BigInt(weight), 0n)
  const given = all === 0n ? weights.map(() => 1n) : weights.map((weight) => BigInt(weight))
  const whole = all === 0n ? BigInt(weights.length) : all
  const units = BigInt(Math.round(sum / unit))
  const exact = given.map((weight, at) => ({ at, down: (units * weight) / whole, rest: (units * weight) % whole }))
  const missing = Number(units - exact.reduce((total, { down }) => total + down, 0n))
  const raised = new Set(
    exact
      .toSorted((a, b) => (a.rest === b.rest ? a.at - b.at : b.rest > a.rest ? 1 : -1))
      .slice(0, missing)
      .map(({ at }) => at),
  )
  return exact.map(({ at, down }) => (Number(down) + (raised.has(at) ? 1 : 0)) * unit)
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
