import { expect, it } from 'vitest'
import { dayOf, endOf, isDay, latestDay, lifetimesWithin } from './lifetime.ts'

const NOW = new Date('2026-03-01T15:00:00').getTime()

it.each([
  [90, [7, 30, 60, 90]],
  [366, [7, 30, 60, 90, 180, 366]],
  [30, [7, 30]],
  [5, [5]],
])('offers lifetimes within %i days', (most, offered) => {
  expect(lifetimesWithin(most)).toEqual(offered)
})

it('ends a secret of the latest day within what is allowed', () => {
  const day = dayOf(latestDay(90, NOW))
  expect(day).toBe('2026-05-29')
  const { expires_at } = endOf({ days: 'date', expires_at: day }) as { expires_at: string }
  expect(Date.parse(expires_at)).toBeLessThan(NOW + 90 * 86_400_000)
  expect(['2026-02-28', '2026-02-40', 'soon', '', undefined].map(isDay)).toEqual([true, false, false, false, false])
})

it('sends days as they are, and a date as its end', () => {
  expect(endOf({ days: '30', expires_at: '' })).toEqual({ days: 30 })
  expect(endOf({ days: 'date', expires_at: '2026-03-05' })).toEqual({
    expires_at: new Date('2026-03-05T23:59:59.999').toISOString(),
  })
})
