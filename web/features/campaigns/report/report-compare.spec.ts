import { describe, expect, it } from 'vitest'
import { canBeCompared, changeOf, previousRange } from './report-compare.ts'

const TODAY = new Date('2026-11-23T12:00:00')

describe('the previous period', () => {
  it.each([
    ['of the last seven days is the week before', '2026-11-17', '2026-11-23', '2026-11-10', '2026-11-16'],
    ['of a day is the day before', '2026-11-23', '2026-11-23', '2026-11-22', '2026-11-22'],
    ['of this month is the same days of the past month', '2026-11-01', '2026-11-30', '2026-10-01', '2026-10-23'],
    ['of this month until today is the same', '2026-11-01', '2026-11-23', '2026-10-01', '2026-10-23'],
    ['of the past month is the month before', '2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30'],
    ['of a part of a past month is as many days', '2026-10-01', '2026-10-30', '2026-09-01', '2026-09-30'],
  ])('the previous period: %s', (_, start, end, from, to) => {
    expect(previousRange({ start, end }, TODAY)).toEqual({ start: from, end: to })
  })

  it('ends with the last day of a shorter month', () => {
    const march = new Date('2026-03-31T12:00:00')
    const range = { start: '2026-03-01', end: '2026-03-31' }
    expect(previousRange(range, march)).toEqual({ start: '2026-02-01', end: '2026-02-28' })
  })

  it('the previous period is not offered for all time', () => {
    expect(canBeCompared({ start: '2016-11-01', end: '2026-11-23' })).toBe(false)
    expect(canBeCompared({ start: '2025-11-24', end: '2026-11-23' })).toBe(true)
  })
})

describe('a change', () => {
  it.each([
    [150, 100, { kind: 'more', percent: 50 }],
    [50, 200, { kind: 'less', percent: 75 }],
    [0, 8, { kind: 'less', percent: 100 }],
    [1001, 3000, { kind: 'less', percent: 66.6 }],
    [100, 100, { kind: 'same' }],
    [100_000, 100_001, { kind: 'same' }],
    [0, 0, { kind: 'same' }],
    [5, 0, { kind: 'new' }],
  ])('a change to %d from %d is %o', (now, before, change) => {
    expect(changeOf(now, before)).toEqual(change)
  })
})
