import { expect, it } from 'vitest'
import { dayOf } from './period.ts'

it.each([
  ['2026-03-01', '2026-03-01'],
  [' 2026-03-01 ', '2026-03-01'],
  ['2026-03-01T23:30:00Z', '2026-03-02'],
  ['2026-03-01T23:30:00', '2026-03-02'],
  [Date.parse('2026-03-01T22:59:59Z'), '2026-03-01'],
  [String(Date.parse('2026-03-01T23:00:00Z')), '2026-03-02'],
  ['2026-02-30', undefined],
  ['2026-02-30T10:00:00Z', undefined],
  ['soon', undefined],
  ['', undefined],
  [Number.NaN, undefined],
])('%j is the day %s in Lagos, an hour east of UTC', (sent, day) => expect(dayOf(sent, 'Africa/Lagos')).toBe(day))
