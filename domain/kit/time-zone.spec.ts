import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayIn, isTimeZone, offsetAt, startOfDay } from './time-zone.ts'

describe('days in a time zone', () => {
  it.each([
    ['the day before summer time', '2026-03-28', 'Europe/Berlin', '2026-03-27T23:00:00.000Z'],
    ['the day after the clock was put forward', '2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['a clock that is put forward at midnight', '2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    ['a clock that is put back at midnight', '2026-10-30', 'Africa/Cairo', '2026-10-29T22:00:00.000Z'],
    ['a day that has midnight twice', '2026-10-25', 'Atlantic/Azores', '2026-10-25T00:00:00.000Z'],
    ['a zone of a quarter of an hour', '2026-01-01', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
    ['a fixed offset', '2026-01-01', -12_600, '2026-01-01T03:30:00.000Z'],
  ])('%s starts', (_, day, zone, start) => {
    expect(startOfDay(day, zone)).toBe(start)
  })

  it('every day follows the day before without a gap, and holds its instants', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          'Europe/Berlin',
          'Africa/Cairo',
          'America/St_Johns',
          'Australia/Lord_Howe',
          'Atlantic/Azores',
          'Asia/Beirut',
          3600,
        ),
        fc.integer({ min: 0, max: 1500 }),
        (zone, n) => {
          const day = new Date(Date.UTC(2025, 0, 1 + n)).toISOString().slice(0, 10)
          const next = new Date(Date.UTC(2025, 0, 2 + n)).toISOString().slice(0, 10)
          const [start, end] = [startOfDay(day, zone), startOfDay(next, zone)]
          expect(dayIn(start, zone)).toBe(day)
          expect(dayIn(Date.parse(start) - 1, zone) < day).toBe(true)
          const hours = (Date.parse(end) - Date.parse(start)) / 3_600_000
          expect(hours).toBeGreaterThanOrEqual(23)
          expect(hours).toBeLessThanOrEqual(25)
        },
      ),
    )
  })

  it('an offset is that of its instant', () => {
    expect(offsetAt('Europe/Berlin', '2026-01-15T12:00:00Z')).toBe(3600)
    expect(offsetAt('Europe/Berlin', '2026-07-15T12:00:00.500Z')).toBe(7200)
    expect(offsetAt('America/St_Johns', '2026-01-15T12:00:00Z')).toBe(-12_600)
    expect(offsetAt(14_400, '2026-07-15T12:00:00Z')).toBe(14_400)
  })

  it('names are those of the database of time zones', () => {
    const names = ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5']
    const others = ['', 'Mars/Olympus', '+05:00', 'Europe/Berlin ', 'Europe', `A${'/a'.repeat(40)}`]
    expect(names.filter((name) => !isTimeZone(name))).toEqual([])
    expect(others.filter(isTimeZone)).toEqual([])
  })
})
