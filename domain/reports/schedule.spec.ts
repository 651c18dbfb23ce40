import { describe, expect, it } from 'vitest'
import { daysOfRange, isSchedule, nextDue } from './schedule.ts'

describe('the schedule of a saved report', () => {
  it.each([
    ['daily', null, '2026-11-25T07:59:59.000Z', 'UTC', '2026-11-25T08:00:00.000Z'],
    ['daily', null, '2026-11-25T08:00:00.000Z', 'UTC', '2026-11-26T08:00:00.000Z'],
    ['daily', null, '2026-11-25T23:00:00.000Z', 'Asia/Yerevan', '2026-11-26T04:00:00.000Z'],
    ['daily', null, '2026-11-25T12:00:00.000Z', -5 * 3600, '2026-11-25T13:00:00.000Z'],
    // Summer time begins on this day, at two in the morning.
    ['daily', null, '2026-03-28T08:00:00.000Z', 'Europe/Berlin', '2026-03-29T06:00:00.000Z'],
    // West of UTC the clock changes after eight o'clock of UTC.
    ['daily', null, '2026-03-08T00:00:00.000Z', 'America/Los_Angeles', '2026-03-08T15:00:00.000Z'],
    ['daily', null, '2026-11-01T00:00:00.000Z', 'America/Los_Angeles', '2026-11-01T16:00:00.000Z'],
    ['weekly', 1, '2026-11-25T12:00:00.000Z', 'UTC', '2026-11-30T08:00:00.000Z'],
    ['weekly', 7, '2026-11-25T12:00:00.000Z', 'UTC', '2026-11-29T08:00:00.000Z'],
    ['monthly', 1, '2026-12-01T08:00:00.000Z', 'UTC', '2027-01-01T08:00:00.000Z'],
    ['monthly', 28, '2026-11-28T09:00:00.000Z', 'UTC', '2026-12-28T08:00:00.000Z'],
  ] as const)('%s on day %s is due after %s in %s at %s', (kind, day, after, zone, due) => {
    expect(nextDue({ kind, day }, after, zone)).toBe(due)
  })

  it('a saved report without a schedule is never due', () => {
    expect(nextDue({ kind: 'none', day: null }, '2026-11-25T12:00:00.000Z', 'UTC')).toBeNull()
  })

  it('names a day where its kind has one, and none where it has not', () => {
    expect(isSchedule({ kind: 'daily', day: null })).toBe(true)
    expect(isSchedule({ kind: 'daily', day: 1 })).toBe(false)
    expect(isSchedule({ kind: 'weekly', day: null })).toBe(false)
    expect(isSchedule({ kind: 'weekly', day: 8 })).toBe(false)
    expect(isSchedule({ kind: 'monthly', day: 28 })).toBe(true)
    expect(isSchedule({ kind: 'monthly', day: 29 })).toBe(false)
  })
})

it.each([
  ['today', { start: '2026-01-15', end: '2026-01-15' }],
  ['last7', { start: '2026-01-09', end: '2026-01-15' }],
  ['last365', { start: '2025-01-16', end: '2026-01-15' }],
  ['thisMonth', { start: '2026-01-01', end: '2026-01-31' }],
  ['pastMonth', { start: '2025-12-01', end: '2025-12-31' }],
] as const)('the range %s of a day', (range, days) => {
  expect(daysOfRange(range, '2026-01-15')).toEqual(days)
})
