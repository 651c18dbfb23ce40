import fc from 'fast-check'
import { expect, it } from 'vitest'
import { audioSpots } from './spots.ts'

const units = (value: number) => Math.round(value * 1_000_000)

it.each([
  ['USD', 1, 0.3, 3],
  ['USD', 1, 10, 100], // covers CONST-45
  ['USD', 2, 10, 50],
  ['USD', 0.5, 0.05, 1],
  ['NGN', 1, 129.99, 0], // covers CONST-46
  ['NGN', 1, 260, 2], // covers CONST-46
  ['AMD', 1, 0.7, 2], // covers CONST-47
  ['EUR', 1.5, 0, 0],
])('%s with multiplier %d and %d a day gives %d spots', (currency, multiplier, budget, spots) =>
  expect(audioSpots(currency, units(multiplier), units(budget))).toBe(spots),
)

// covers CONST-48
it('costs 0.35 in a test environment, whatever the currency', () => {
  for (const currency of ['USD', 'NGN', 'AMD']) expect(audioSpots(currency, units(1), units(0.7), true)).toBe(2)
})

it('gives no answer without a multiplier', () => {
  expect(audioSpots('USD', 0, 1_000_000)).toBeNull()
  expect(audioSpots('USD', -1, 1_000_000)).toBeNull()
  expect(audioSpots('USD', 1_000_000, -1)).toBeNull()
})

it('a larger budget never buys fewer spots, and a higher price never buys more', () => {
  const amount = fc.integer({ min: 1, max: 10 ** 12 })
  fc.assert(
    fc.property(amount, amount, amount, (multiplier, budget, more) => {
      const spots = audioSpots('USD', multiplier, budget) ?? 0
      expect(audioSpots('USD', multiplier, budget + more)).toBeGreaterThanOrEqual(spots)
      expect(audioSpots('USD', multiplier + more, budget)).toBeLessThanOrEqual(spots)
    }),
  )
})
