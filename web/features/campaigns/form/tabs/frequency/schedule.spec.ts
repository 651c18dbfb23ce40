import { describe, expect, it } from 'vitest'
import {
  ALL_DAYS,
  ALL_HOURS,
  cellsAt,
  cellsBetween,
  countOf,
  DAYS,
  EMPTY,
  HOURS,
  isOn,
  only,
  paint,
  PRESETS,
  ROWS,
  shareAt,
} from './schedule.ts'
import { summaryOf } from './schedule-summary.ts'
import { zoneText } from './use-campaign-zone.ts'

const NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const hours = (from: number, to: number) => ({ from: { row: 1, hour: from }, to: { row: 5, hour: to } })

describe('the schedule', () => {
  it('the schedule has seven days of 24 hours, Monday first, under "All days"', () => {
    expect(DAYS).toEqual(['1', '2', '3', '4', '5', '6', '0'])
    expect([HOURS.length, ROWS.length]).toEqual([24, 8])
  })

  it('paints a rectangle on and off', () => {
    const { from, to } = hours(9, 17)
    const working = paint(EMPTY, cellsBetween(from, to), true)
    expect(working['1']).toEqual(['09', '10', '11', '12', '13', '14', '15', '16', '17'])
    expect(countOf(working)).toBe(45)
    expect(paint(working, cellsBetween(to, from), false)).toEqual(EMPTY)
  })

  it('takes an hour of all days together', () => {
    const nine = paint(EMPTY, cellsAt({ row: 0, hour: 9 }), true)
    expect(DAYS.every((day) => isOn(nine, { day, hour: 9 }))).toBe(true)
    expect(countOf(nine)).toBe(7)
    expect(shareAt(nine, { row: 0, hour: 9 })).toBe('all')
    expect(shareAt(paint(nine, cellsAt({ row: 3, hour: 9 }), false), { row: 0, hour: 9 })).toBe('some')
    expect(cellsBetween({ row: 0, hour: 9 }, { row: 2, hour: 9 })).toHaveLength(7)
  })

  it('leaves days that were not touched in the order they came in', () => {
    const stored = { ...EMPTY, '2': ['13', '07'] }
    const next = paint(stored, [{ day: '1', hour: 3 }], true)
    expect(next['2']).toEqual(['13', '07'])
    expect(paint(stored, [{ day: '2', hour: 7 }], true)['2']).toEqual(['13', '07'])
    expect(paint(stored, [{ day: '2', hour: 20 }], false)['2']).toEqual(['13', '07'])
  })

  it('takes all hours of a day together, and of all days everything', () => {
    const tuesday = cellsAt({ row: 2, hour: ALL_HOURS })
    expect(summaryOf(paint(EMPTY, tuesday, true), NAMES)).toBe('Tue 00:00–24:00')
    expect(cellsAt({ row: ALL_DAYS, hour: ALL_HOURS })).toHaveLength(168)
    expect(cellsBetween({ row: 2, hour: ALL_HOURS }, { row: 3, hour: 7 })).toHaveLength(48)
  })

  it('never reaches from a cell into a header', () => {
    expect(cellsBetween({ row: 1, hour: 2 }, { row: 1, hour: ALL_HOURS })).toHaveLength(3)
    expect(cellsBetween({ row: 3, hour: 2 }, { row: ALL_DAYS, hour: 2 })).toHaveLength(3)
  })

  it.each([
    ['business', 'Mon–Fri 09:00–18:00'],
    ['weekend', 'Sat–Sun 00:00–24:00'],
    ['always', 'Mon–Sun 00:00–24:00'],
    ['none', ''],
  ] as const)('the schedule can be set to "%s", whatever it was', (name, words) => {
    const before = paint(EMPTY, cellsAt({ row: ALL_DAYS, hour: 5 }), true)
    expect(summaryOf(only(before, PRESETS[name]), NAMES)).toBe(words)
  })
})

describe('the schedule in words', () => {
  it('puts days with the same hours together', () => {
    const { from, to } = hours(9, 17)
    const working = paint(EMPTY, cellsBetween(from, to), true)
    expect(summaryOf(working, NAMES)).toBe('Mon–Fri 09:00–18:00')
    const more = paint(
      working,
      [
        { day: '0', hour: 0 },
        { day: '0', hour: 23 },
        { day: '6', hour: 23 },
      ],
      true,
    )
    expect(summaryOf(more, NAMES)).toBe('Mon–Fri 09:00–18:00; Sat 23:00–24:00; Sun 00:00–01:00, 23:00–24:00')
    expect(summaryOf(paint(working, [{ day: '2', hour: 9 }], false), NAMES)).toBe('Mon, Wed–Fri 09:00–18:00; Tue 10:00–18:00')
    expect(summaryOf(EMPTY, NAMES)).toBe('')
    expect(summaryOf(only(EMPTY, PRESETS.always), NAMES)).toBe('Mon–Sun 00:00–24:00')
  })

  it.each([
    [3600, 'UTC+01:00'],
    [-12_600, 'UTC−03:30'],
    [0, 'UTC+00:00'],
  ])('names the zone of %i seconds', (offset, text) => expect(zoneText(offset)).toBe(text))
})
