import { readDecimal } from './decimal.ts'

/** A rate in basis points as a field shows it, in percent. */
export const typedPercent = (points: number): string => String(points / 100)

/** A typed percentage in basis points; null for an empty field. What is no number is out of every range. */
export function basisPoints(typed: string): number | null {
  const percent = readDecimal(typed)
  if (percent === null) return null
  return Number.isNaN(percent) ? -1 : Math.round(percent * 100)
}
