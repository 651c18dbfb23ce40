import { describe, expect, it } from 'vitest'
import { begun, chartPoints, comparedTotals, endsOpen, sinceFirst } from './report-points.ts'

const HOUR_MS = 3_600_000
const START = Date.parse('2026-11-01T00:00:00Z')
const hours = (length: number, step = 1) =>
  Array.from({ length }, (_, index) => ({ at: START + index * step * HOUR_MS, values: { impressions: index } }))
const days = (length: number) => hours(length, 24)

describe('the points of a report', () => {
  it('the points of a report are those that have begun', () => {
    expect(begun(hours(24), Date.parse('2026-11-01T10:15:00Z'))).toHaveLength(11)
    expect(begun(hours(24), Date.parse('2026-11-05T10:15:00Z'))).toHaveLength(24)
  })

  it('the points of a report of a long period start with the first figure, by day only', () => {
    const late = (points: ReturnType<typeof days>) => points.map((point) => ({ ...point, values: { impressions: 0 } }))
    const last = { at: START + 200 * 24 * HOUR_MS, values: { impressions: 5 } }
    expect(sinceFirst([...late(days(200)), last], 'days')).toEqual([last])
    expect(sinceFirst([...late(hours(200)), last], 'hours')).toHaveLength(201)
    expect(sinceFirst([...late(days(30)), last], 'days')).toHaveLength(31)
  })

  it('the points of a report end open while the last hour or day is not over', () => {
    expect(endsOpen(hours(11), 'hours', Date.parse('2026-11-01T10:15:00Z'))).toBe(true)
    expect(endsOpen(hours(11), 'hours', Date.parse('2026-11-01T11:00:00Z'))).toBe(false)
    expect(endsOpen(days(2), 'days', Date.parse('2026-11-02T23:59:00Z'))).toBe(true)
  })

  it('the points of a report are named by hour within a day, and by day at midnight beyond it', () => {
    expect(chartPoints(hours(2), 'hours', false).map(({ tick }) => tick)).toEqual(['00:00', '01:00'])
    const two = chartPoints(hours(48), 'hours', false)
    expect(two.flatMap(({ tick }) => tick ?? [])).toEqual(['Nov 01', 'Nov 02'])
    expect(two[25]?.label).toBe('Nov 02, 2026 01:00')
  })
})

describe('the comparison of a report', () => {
  const previous = { points: hours(4), totals: { impressions: 6 } }

  it('the comparison of a report is the whole previous period once the current one is over', () => {
    expect(comparedTotals(previous, hours(3), hours(3), ['impressions'])).toEqual({ impressions: 6 })
  })

  it('the comparison of a report is as much of the previous period as has passed of the current one', () => {
    expect(comparedTotals(previous, hours(4), hours(3), ['impressions'])).toEqual({ impressions: 3 })
  })
})
