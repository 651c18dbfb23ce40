import { describe, expect, it } from 'vitest'
import { timeKey } from './time-keys.ts'

const keyOf = (grouping: string, instant: string, zone: Parameters<typeof timeKey>[2] = 0) =>
  timeKey(grouping, Date.parse(instant), zone)

describe('the time that an hour of a report belongs to', () => {
  // Examples of ISO 8601: a year begins with the week of its first Thursday.
  it.each([
    ['2005-01-01', '2004-W53'],
    ['2005-01-02', '2004-W53'],
    ['2005-12-31', '2005-W52'],
    ['2007-01-01', '2007-W01'],
    ['2007-12-31', '2008-W01'],
    ['2008-12-28', '2008-W52'],
    ['2008-12-29', '2009-W01'],
    ['2009-12-31', '2009-W53'],
    ['2010-01-03', '2009-W53'],
    ['2010-01-04', '2010-W01'],
    ['2026-06-07', '2026-W23'],
    ['2026-06-08', '2026-W24'],
  ])('%s is in the week %s from its first hour to its last', (day, week) => {
    expect(keyOf('week', `${day}T00:00:00Z`)).toBe(week)
    expect(keyOf('week', `${day}T23:00:00Z`)).toBe(week)
  })

  it('names Sunday as the seventh day', () => {
    expect(['2026-06-07', '2026-06-08', '2026-06-13'].map((day) => keyOf('day_of_week', `${day}T12:00:00Z`))).toEqual([
      '7',
      '1',
      '6',
    ])
  })

  it('an hour of a report belongs to a quarter of three months', () => {
    const months = ['01', '03', '04', '06', '07', '09', '10', '12']
    expect(months.map((month) => keyOf('quarter', `2026-${month}-30T12:00:00Z`).slice(-2)).join(' ')).toBe(
      'Q1 Q1 Q2 Q2 Q3 Q3 Q4 Q4',
    )
  })

  it('an hour of a report belongs to its local day: the day before, or one of the next year', () => {
    expect(keyOf('day', '2026-01-01T04:00:00Z', 'America/New_York')).toBe('2025-12-31')
    expect(keyOf('year', '2025-12-31T20:00:00Z', 'Asia/Yerevan')).toBe('2026')
    expect(keyOf('month', '2026-01-31T23:00:00Z', 3600)).toBe('2026-02')
    expect(keyOf('date_hour', '2026-01-01T04:00:00Z', 'America/New_York')).toBe('2025-12-31 23:00')
    expect(keyOf('hour', '2026-07-01T04:00:00Z', 'America/New_York')).toBe('00')
  })
})
