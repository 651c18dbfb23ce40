/** Money inside is integer micros (1 unit = 1,000,000 micros); on the wire it is a number (fine print 27). */
export type Micros = number

export const MICROS = 1_000_000
/** Largest amount accepted, in currency units. */
export const MONEY_LIMIT = 9_000_000_000
/** Largest sum that an account holds, micros: sums up to here are exact. */
export const MOST_MICROS: Micros = MONEY_LIMIT * MICROS

/** Above it, rounding the product would miss by a micro; the decimal text does not. */
const ROUNDS_EXACTLY = 1e9

/** Units to micros; null when not finite, beyond the limit, or finer than a micro. */
export function toMicros(units: number): Micros | null {
  if (!Number.isFinite(units) || Math.abs(units) > MONEY_LIMIT) return null
  const micros = Math.abs(units) < ROUNDS_EXACTLY ? Math.round(units * MICROS) : Number(`${units}e6`)
  return Math.abs(units * MICROS - micros) < 1e-3 * Math.max(1, Math.abs(units) / MICROS) && decimals(units) <= 6 ? micros : null
}

/** Micros to units, exact to six decimals. */
export const fromMicros = (micros: Micros): number => micros / MICROS

function decimals(value: number): number {
  const text = value.toString()
  const exponent = /e-(\d+)$/.exec(text)
  const fraction = /\.(\d+)/.exec(text)?.[1]?.length ?? 0
  return fraction + (exponent ? Number(exponent[1]) : 0)
}
