import { describe, expect, it } from 'vitest'
import type { ReportInput } from '#contract/reports'
import { readReport } from './report-input.ts'

const MAY = { from_date: '2026-05-01', to_date: '2026-05-03' }
type Asked = Partial<Omit<ReportInput, 'id'>>
const read = (input: Asked) => readReport({ ...MAY, ...input })
const DAY_MS = 86_400_000
const START = Date.parse('2026-05-01T00:00:00Z')

describe('the period of a report', () => {
  it('the period of a report has a point for each of its days, or of its hours', () => {
    const days = read({ granularity_type_key: 2 })
    expect(days.starts).toEqual([START, START + DAY_MS, START + 2 * DAY_MS])
    const hours = read({ granularity_type_key: 1 })
    expect([hours.starts.length, hours.starts[1]]).toEqual([72, START + DAY_MS / 24])
  })

  // covers REP-22
  it('runs from the first moment of the first day to the last moment of the last', () => {
    const period = { from: '2026-05-01T00:00:00.000Z', to: '2026-05-04T00:00:00.000Z' }
    expect(read({}).filter).toMatchObject(period)
    const moments = { from_date: '2026-05-01T00:00:00.000Z', to_date: '2026-05-03T23:59:59.999Z' }
    expect(read(moments).filter).toMatchObject(period)
  })
})

// covers CAM-REP-09 CAM-REP-11 ERR-30
it.each<readonly [wrong: Asked, code: number]>([
  [{ granularity_type_key: 9 }, 150],
  [{ device_type_key: 4 }, 2],
  [{ visual_size_key: 99 }, 2],
  [{ tz_offset_seconds: 3600 }, 2],
  [{ included_metrics: ['beauty'] }, 2],
  [{ to_date: '2026-04-01' }, 1303],
  [{ from_date: 'soon' }, 11],
  [{ from_date: '2020-01-01', granularity_type_key: 1 }, 2],
])('a report with %j is refused with %d', (wrong, code) =>
  expect(() => read(wrong)).toThrow(expect.objectContaining({ rejection: expect.objectContaining({ code }) })),
)

it('a report takes the metrics by the names of the pages, each once', () => {
  const included_metrics = ['spend', 'CPM', 'CPCv', 'Win rate', 'unique conversions', 'spent', 'win_rate', 'Bounce-Rate']
  expect(read({ included_metrics }).metrics).toEqual(['spent', 'cpm', 'cpcv', 'win_rate', 'unique_conversions', 'bounce_rate'])
})

it('a report takes each kind of device, each size, or all of them', () => {
  for (const device_type_key of [2, 3, 5, 8, 9, null])
    expect(read({ device_type_key }).filter.deviceTypeKey).toBe(device_type_key)
  const sizes = [1, 106, null].map((visual_size_key) => read({ visual_size_key, publisher: ' x ', tz_offset_seconds: 0 }).filter)
  expect(sizes.map(({ size, publisher }) => [size, publisher])).toEqual([
    [null, 'x'],
    ['300x250', 'x'],
    [null, 'x'],
  ])
})
