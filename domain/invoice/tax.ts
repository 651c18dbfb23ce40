import type { Micros } from '../kit/money.ts'
import { minorUnit } from '../payment/amounts.ts'

/** Tax of an invoice: none, contained in its amounts, or added to them. */
export const TAX_MODES = ['none', 'inclusive', 'exclusive'] as const
export type TaxMode = (typeof TAX_MODES)[number]

/** Basis points of the whole: a rate of 100 %. */
export const FULL_RATE = 10_000

export type TaxTerms = {
  readonly tax_mode: TaxMode
  /** Basis points: 2000 is 20 %. Always 0 without a tax. */
  readonly tax_rate: number
}
export const NO_TAX: TaxTerms = { tax_mode: 'none', tax_rate: 0 }

/** The terms of an account: its own where it has them, else those of its white-label. */
export const taxTermsOf = (
  own: { readonly tax_mode: TaxMode | null; readonly tax_rate: number | null },
  usual: TaxTerms,
): TaxTerms => {
  const tax_mode = own.tax_mode ?? usual.tax_mode
  if (tax_mode === 'none') return NO_TAX
  return { tax_mode, tax_rate: (own.tax_mode === null ? null : own.tax_rate) ?? usual.tax_rate }
}

/** Whether these terms can be used: a rate above 0 and up to 100 % with a tax, and none without. */
export const isTaxRate = (mode: TaxMode, rate: number): boolean =>
  mode === 'none' ? rate === 0 : Number.isInteger(rate) && rate > 0 && rate <= FULL_RATE

export type Taxed = {
  /** Taxed amount: without the tax. */
  readonly taxable: Micros
  readonly tax: Micros
  /** Amount to be paid: both together. */
  readonly payable: Micros
}

/** The tax on an amount of whole minor units, rounded to the minor unit, halves up. The amount is not negative. */
export function taxOf(amount: Micros, { tax_mode, tax_rate }: TaxTerms, currency: string): Taxed {
  if (tax_mode === 'none') return { taxable: amount, tax: 0, payable: amount }
  const whole = tax_mode === 'inclusive' ? FULL_RATE + tax_rate : FULL_RATE
  const tax = shareOf(amount, tax_rate, whole, unitOf(amount, currency))
  return tax_mode === 'inclusive'
    ? { taxable: amount - tax, tax, payable: amount }
    : { taxable: amount, tax, payable: amount + tax }
}

/** Amounts of before minor units were those of the currency have two decimals. */
const unitOf = (amount: Micros, currency: string): Micros => (amount % minorUnit(currency) === 0 ? minorUnit(currency) : 10_000)

/** `part / whole` of an amount, in whole units. The product is beyond what a number holds exactly. */
function shareOf(amount: Micros, part: number, whole: number, unit: Micros): Micros {
  const twice = 2n * BigInt(amount) * BigInt(part)
  const divisor = 2n * BigInt(whole) * BigInt(unit)
  return Number((twice + BigInt(whole) * BigInt(unit)) / divisor) * unit
}

/** Tax that was added to the spend, and so moves the ledger: that of an exclusive invoice alone. */
export const addedTax = ({ tax_mode, tax }: Pick<TaxTerms, 'tax_mode'> & { readonly tax: Micros }): Micros =>
  tax_mode === 'exclusive' ? tax : 0
