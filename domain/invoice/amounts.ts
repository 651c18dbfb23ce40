import { MICROS, type Micros } from '../kit/money.ts'

/** The currency's smallest unit that people pay: two decimals. */
const MINOR: Micros = MICROS / 100

/** What is to be paid for an exact total: rounded to two decimals, halves away from zero. The difference is one line. */
export function rounded(total: Micros): { readonly payable: Micros; readonly rounding: Micros } {
  const size = Math.abs(total)
  const rest = size % MINOR
  const payable = Math.sign(total) * (size - rest + (rest * 2 >= MINOR ? MINOR : 0))
  return { payable: payable === 0 ? 0 : payable, rounding: payable - total }
}

/** `NG-2026-000123`: the white-label, the year of issue, and a number without gaps in the white-label. */
export const documentNumber = (whitelabelId: string, year: number, number: number): string =>
  `${whitelabelId.toUpperCase()}-${year}-${String(number).padStart(6, '0')}`
