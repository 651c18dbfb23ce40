import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'

/** Nightly runs take more lives than the gate: `PROPERTY_TIMES` multiplies the runs of every property, and its time limit. */
const TIMES = Number(process.env['PROPERTY_TIMES'] ?? 1)

export const runs = (usual: number): number => Math.ceil(usual * TIMES)

/** Milliseconds: that of every test, for each of the times. */
export const limit = (): number => Math.ceil(240_000 * Math.max(1, TIMES))

/** `toEqual` for the inner loop of a property, where a matcher takes longer than what it checks. It is asked only about a difference. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
}
