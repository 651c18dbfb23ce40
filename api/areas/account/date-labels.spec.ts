import { expect, it } from 'vitest'
import { daysOf } from './date-labels.ts'

const NOW = '2026-03-01T23:00:00.000Z'

// covers ADM-49
it.each([
  ['today', '2026-03-01', '2026-03-01'],
  ['yesterday', '2026-02-28', '2026-02-28'],
  ['last_7_days', '2026-02-23', '2026-03-01'],
  ['last_30_days', '2026-01-31', '2026-03-01'],
  ['this_month', '2026-03-01', '2026-03-01'],
  ['past_month', '2026-02-01', '2026-02-28'],
])('the label %s stands for the days %s to %s', (dateLabel, from_date, to_date) =>
  expect(daysOf({ dateLabel }, NOW)).toEqual({ from_date, to_date }),
)

it.each(['Last 7 days', ' LAST-7-DAYS '])('the label %j, as screens show it, is last_7_days', (dateLabel) =>
  expect(daysOf({ dateLabel }, NOW)).toEqual({ from_date: '2026-02-23', to_date: '2026-03-01' }),
)

it.each(['', 'custom', 'all', 'Custom range', 'since the flood'])('the text %j filters nothing', (dateLabel) =>
  expect(daysOf({ dateLabel }, NOW)).toEqual({ from_date: null, to_date: null }),
)

// covers ADM-48
it('days count before a label, and a label before a custom range', () => {
  const dateCustomRange = ['2001-01-01', '2001-01-02']
  expect(daysOf({ dateLabel: 'all', dateCustomRange }, NOW)).toEqual({ from_date: '2001-01-01', to_date: '2001-01-02' })
  expect(daysOf({ dateLabel: 'today', dateCustomRange }, NOW)).toMatchObject({ from_date: '2026-03-01' })
  expect(daysOf({ from_date: '2026-01-05', dateLabel: 'today' }, NOW)).toEqual({ from_date: '2026-01-05', to_date: null })
})
