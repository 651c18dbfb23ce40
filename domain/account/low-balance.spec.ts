import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MICROS } from '../kit/money.ts'
import { BALANCE_NOTICES, noticesOf, shownNotices, type BalanceNotice } from './low-balance.ts'

const units = (amount: number) => Math.round(amount * MICROS)
const notices = (available: number, daily: number, now: readonly BalanceNotice[] = []) =>
  noticesOf({ available: units(available), daily: units(daily) }, now)

describe('notices of a low balance', () => {
  it.each([
    ['a balance that lasts', 1000, 300, []],
    ['eight days of a small account', 200, 25, []],
    ['less than three days of a small account', 74.99, 25, ['runway_3']],
    ['a small balance that nothing is spent of', 5, 0, []],
    ['less than three days', 1500, 600, ['runway_3']],
    ['exactly three days', 1800, 600, []],
    ['less than a day', 1500, 1600, ['runway_1', 'runway_3']],
    ['nothing', 0, 10, ['empty', 'runway_1', 'runway_3']],
    ['nothing, and no spend', 0, 0, ['empty']],
  ])('notices of a low balance: %s', (_, available, daily, expected) => expect(notices(available, daily)).toEqual(expected))

  it('notices of old events end, and are not shown', () => {
    expect(notices(900, 10, ['below_1000'])).toEqual([])
    expect(shownNotices(['runway_3', 'below_1000'])).toEqual(['runway_3'])
  })

  it('ends a notice about days only once the balance lasts a tenth longer', () => {
    expect(notices(1900, 600, ['runway_3'])).toEqual(['runway_3'])
    expect(notices(1981, 600, ['runway_3'])).toEqual([])
  })

  it('never changes again for the same funds, whatever was noticed before', () => {
    fc.assert(
      fc.property(
        fc.record({ available: fc.integer({ min: -units(5000), max: units(5000) }), daily: fc.nat(units(2000)) }),
        fc.subarray([...BALANCE_NOTICES]),
        (funds, before) => {
          const first = noticesOf(funds, before)
          expect(noticesOf(funds, first)).toEqual(first)
        },
      ),
      { numRuns: 1000 },
    )
  })
})
