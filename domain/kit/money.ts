/** Money inside is integer micros (1 unit = 1,000,000 micros); on the wire it is a number (fine print 27). */
export type Micros = number

export const MICROS = 1_000_000
/** Decimals of an amount in units, at most. */
export const DECIMALS = 6
/** Largest amount accepted, in currency units. */
export const MONEY_LIMIT = 9_000_000_000
/** Largest balance that a decision may lead to, micros: amounts up to here are exact. */
export const MOST_MICROS: Micros = MONEY_LIMIT * MICROS

/**
 * A sum over all of an account's life, which has no bound: a number while that is exact, and decimal text beyond. Both can be stored
 * as JSON.
 */
export type Sum = Micros | `${bigint}`

/** Adds amounts and sums, exactly. */
export function plus(...parts: readonly Sum[]): Sum {
  let sum = 0
  for (const part of parts) {
    const next = typeof part === 'number' ? sum + part : Number.NaN
    // The sum of two exact numbers is rounded only where it is no safe integer any more.
    if (!Number.isSafeInteger(next)) return sumOf(parts.reduce((exact, one) => exact + BigInt(one), 0n))
    sum = next
  }
  return sum
}

/** The same sum with the other sign. */
export const negated = (sum: Sum): Sum => (typeof sum === 'number' ? 0 - sum : sumOf(-BigInt(sum)))

/** Less than 0 when `one` is less than `other`, 0 when they are equal. */
export const compared = (one: Sum, other: Sum): number => Number(plus(one, negated(other)))

/** A sum as it is stored. */
export const sumOf = (exact: bigint): Sum => (Number.isSafeInteger(Number(exact)) ? Number(exact) : `${exact}`)

/** Above it, rounding the product would miss by a micro; the decimal text does not. */
const ROUNDS_EXACTLY = 1e9

/** Units to micros; null when not finite, beyond the limit, or finer than a micro. */
export function toMicros(units: number): Micros | null {
  if (!Number.isFinite(units) || Math.abs(units) > MONEY_LIMIT) return null
  const micros = Math.abs(units) < ROUNDS_EXACTLY ? Math.round(units * MICROS) : Number(`${units}e6`)
  return Math.abs(units * MICROS - micros) < 1e-3 * Math.max(1, Math.abs(units) / MICROS) && decimals(units) <= DECIMALS
    ? micros
    : null
}

/** Micros to units, exact to six decimals up to the limit. */
export const fromMicros = (micros: Sum): number => Number(micros) / MICROS

function decimals(value: number): number {
  const text = value.toString()
  const exponent = /e-(\d+)$/.exec(text)
  const fraction = /\.(\d+)/.exec(text)?.[1]?.length ?? 0
  return fraction + (exponent ? Number(exponent[1]) : 0)
}
