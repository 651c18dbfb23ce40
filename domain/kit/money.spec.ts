import { array, assert, bigInt, integer, property } from 'fast-check'
import { expect, it } from 'vitest'
import { compared, fromMicros, MOST_MICROS, negated, plus, sumOf, toMicros } from './money.ts'

// covers FP-27
it('reads amounts above a billion exactly, not one micro beside', () => {
  expect(toMicros(4_294_967_296.1)).toBe(4_294_967_296_100_000)
  assert(
    property(integer({ min: -MOST_MICROS / 100, max: MOST_MICROS / 100 }), (hundreds) => {
      expect(toMicros(fromMicros(hundreds * 100))).toBe(hundreds * 100)
    }),
  )
})

// covers FP-69
it('adds up exactly beyond the numbers that are exact, through JSON too', () => {
  const part = bigInt({ min: -(2n ** 60n), max: 2n ** 60n })
  let beyond = 0
  assert(
    property(array(part, { maxLength: 6 }), part, (parts, other) => {
      const exact = parts.reduce((sum, one) => sum + one, 0n)
      const sum = plus(...parts.map(sumOf))
      if (typeof sum === 'string') beyond += 1
      expect(BigInt(sum)).toBe(exact)
      expect(BigInt(negated(sum))).toBe(-exact)
      expect(JSON.parse(JSON.stringify(sum))).toBe(sum)
      expect(Math.sign(compared(sum, sumOf(other)))).toBe(exact === other ? 0 : exact < other ? -1 : 1)
    }),
  )
  expect(beyond).toBeGreaterThan(10)
})

it.each([
  [[2 ** 53 - 1, 1], '9007199254740992'],
  [[2 ** 53 - 1, 1, 1, -2], 2 ** 53 - 1],
  [[2 ** 53 - 1, 2 ** 53 - 1, 1], '18014398509481983'],
  [[-(2 ** 53 - 1), -2], '-9007199254740993'],
  [[], 0],
] as const)('adds %j to %j', (parts, sum) => expect(plus(...parts)).toBe(sum))
