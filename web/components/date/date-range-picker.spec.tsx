import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useState } from 'react'
import { presetRange, type DateRange } from '@/lib/date-range'
import { listSearch } from '@/features/campaigns/list/campaign-list-search'
import { rangeOf } from '@/lib/date-range'
import { DateRangePicker } from './date-range-picker.tsx'

const TODAY = new Date('2026-11-20T12:00:00')
const chosen = vi.fn()

beforeEach(() => {
  chosen.mockClear()
  vi.useFakeTimers({ now: TODAY, shouldAdvanceTime: true })
})
afterEach(() => vi.useRealTimers())

function Picker({ start }: { readonly start: DateRange }) {
  const [range, setRange] = useState(start)
  const change = (next: DateRange) => {
    chosen(next)
    setRange(next)
  }
  return <DateRangePicker value={range} onChange={change} />
}

const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
async function open(start: DateRange = presetRange('last7', TODAY)) {
  render(<Picker start={start} />)
  await user.click(screen.getByRole('button', { name: /^Date range/ }))
  await screen.findByRole('dialog', { name: 'Date range' })
}

describe('the range of days', () => {
  // covers CAM-LIST-10
  it.each([
    ['Today', '2026-11-20', '2026-11-20'], // covers CAM-LIST-11
    ['Last 7 days', '2026-11-14', '2026-11-20'], // covers CAM-LIST-12
    ['Last 30 days', '2026-10-22', '2026-11-20'], // covers CAM-LIST-14
    ['Last 365 days', '2025-11-21', '2026-11-20'], // covers CAM-LIST-15
    ['This month', '2026-11-01', '2026-11-30'], // covers CAM-LIST-16
    ['Past month', '2026-10-01', '2026-10-31'], // covers CAM-LIST-17
  ])('the range of days: %s', async (name, start, end) => {
    await open()
    await user.click(screen.getByRole('button', { name }))
    expect(chosen).toHaveBeenCalledWith({ start, end })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  // covers CAM-LIST-13
  it('the range of days is the last seven days when nothing else was asked for', () => {
    expect(rangeOf(listSearch.parse({}), TODAY)).toEqual({ start: '2026-11-14', end: '2026-11-20' })
  })

  // covers CAM-LIST-19 REP-28
  it('a range of one’s own is picked in two clicks, and closes 1300 ms later', async () => {
    await open()
    await user.click(screen.getByRole('button', { name: 'Custom range' }))
    await user.click(await screen.findByRole('button', { name: /November 3, 2026/ }))
    expect(chosen).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: /November 9, 2026/ }))
    expect(chosen).toHaveBeenCalledWith({ start: '2026-11-03', end: '2026-11-09' })
    await act(() => vi.advanceTimersByTimeAsync(1000))
    expect(screen.getByRole('dialog')).toBeVisible()
    await act(() => vi.advanceTimersByTimeAsync(310))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByRole('button', { name: 'Date range: Nov 03 – Nov 09' })).toBeVisible()
  })

  it('a range of one’s own is typed, and taken by Enter once it is one', async () => {
    await open()
    await user.click(screen.getByRole('button', { name: 'Custom range' }))
    await user.click(await screen.findByLabelText('First day'))
    await user.keyboard('3/1')
    await user.click(screen.getByLabelText('Last day'))
    await user.keyboard('2/28{Enter}')
    expect(screen.getByRole('button', { name: 'Apply' })).toBeDisabled()
    expect(chosen).not.toHaveBeenCalled()
    await user.clear(screen.getByLabelText('Last day'))
    await user.keyboard('03/31/2026{Enter}')
    expect(chosen).toHaveBeenCalledWith({ start: '2026-03-01', end: '2026-03-31' })
  })

  // covers CAM-LIST-20
  it('names the years from 365 days on', () => {
    render(<Picker start={{ start: '2025-11-21', end: '2026-11-20' }} />)
    expect(screen.getByRole('button', { name: /Nov 21, 2025 – Nov 20, 2026/ })).toBeVisible()
    render(<Picker start={{ start: '2025-11-22', end: '2026-11-20' }} />)
    expect(screen.getByRole('button', { name: 'Date range: Nov 22 – Nov 20' })).toBeVisible()
  })
})
