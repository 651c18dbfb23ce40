import { assert, integer, property } from 'fast-check'
import { expect, it } from 'vitest'
import { fromMicros, MOST_MICROS, toMicros } from './money.ts'

// covers FP-27
it('reads amounts above a billion exactly, not one micro beside', () => {
  expect(toMicros(4_294_967_296.1)).toBe(4_294_967_296_100_000)
  assert(
    property(integer({ min: -MOST_MICROS / 100, max: MOST_MICROS / 100 }), (hundreds) => {
      expect(toMicros(fromMicros(hundreds * 100))).toBe(hundreds * 100)
    }),
  )
})
