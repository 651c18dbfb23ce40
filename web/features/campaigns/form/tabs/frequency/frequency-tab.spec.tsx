import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import { frequencySlice } from './frequency-slice.ts'
import FrequencyTab from './frequency-tab.tsx'

const inUse = campaignWith({ freq_and_scheduling_on: true, country: 'EG', timezone_offset_seconds: 7200 })
const open = (campaign = inUse, readOnly = false) => {
  const { form } = renderInForm(<FrequencyTab />, campaign, readOnly)
  return { form, sent: () => frequencySlice.toInput(form().getValues('frequency'), campaign) }
}
const grid = () => screen.getByRole('grid', { name: 'Schedule' })
const cell = (name: string) => within(grid()).getByRole('gridcell', { name })
const rowHeader = (name: string) => within(grid()).getByRole('rowheader', { name })
const hour = (name: string) => within(grid()).getByRole('columnheader', { name })
const on = () => within(grid()).queryAllByRole('gridcell', { selected: true })
const press = (element: HTMLElement) => {
  fireEvent.pointerDown(element, { button: 0 })
  fireEvent.pointerUp(element)
}

describe('the switch', () => {
  it('keeps caps and hours out of sight while they are not in use', async () => {
    const { form } = open(campaignWith({ frequency_cap: { '1': 3, '2': null, '3': null } }))
    expect(screen.queryByRole('grid')).toBeNull()
    await userEvent.click(screen.getByRole('switch', { name: 'Limit frequency or set a schedule' }))
    expect(screen.getByLabelText('Daily cap')).toHaveValue('3')
    expect(form().getValues('frequency.on')).toBe(true)
  })
})

describe('caps', () => {
  it('caps must rise with their period, and the error stands under the one that does not', async () => {
    open()
    await userEvent.selectOptions(screen.getByLabelText('Daily cap'), '5')
    await userEvent.type(screen.getByLabelText('Weekly cap'), '5')
    await userEvent.tab()
    expect(await screen.findByText('Frequency cap values not valid')).toBeVisible()
    expect(screen.getByLabelText('Weekly cap')).toBeInvalid()
    await userEvent.clear(screen.getByLabelText('Weekly cap'))
    await userEvent.type(screen.getByLabelText('Weekly cap'), '6')
    expect(screen.getByLabelText('Weekly cap')).toBeValid()
  })

  // covers CONST-03
  it('offers what campaigns have for a day, and keeps another one that was set elsewhere', () => {
    open(campaignWith({ freq_and_scheduling_on: true, frequency_cap: { '1': 2, '2': null, '3': null } }))
    const offered = within(screen.getByLabelText('Daily cap')).getAllByRole('option')
    expect(offered.map((option) => option.textContent)).toEqual(['No cap', '2', '1', '3', '4', '5', '6', '7'])
  })
})

describe('the grid', () => {
  // covers CAM-SCH-01
  it('the grid has 24 hours for each of seven days', () => {
    open()
    const rows = within(grid()).getAllByRole('row').slice(1)
    expect(rows.map((row) => within(row).getAllByRole('gridcell').length)).toEqual([24, 24, 24, 24, 24, 24, 24])
    expect(rowHeader('Monday, all hours')).toHaveTextContent('Mon')
  })

  // covers CAM-SCH-02
  it('switches an hour on, and off again', () => {
    const { sent } = open()
    press(cell('Tuesday 09:00'))
    expect(cell('Tuesday 09:00')).toHaveAttribute('aria-selected', 'true')
    expect(sent().scheduling).toMatchObject({ '2': ['09'] })
    press(cell('Tuesday 09:00'))
    expect(on()).toEqual([])
  })

  // covers CAM-SCH-03
  it('paints what the pointer is dragged over, until it is let go', () => {
    open()
    fireEvent.pointerDown(cell('Monday 09:00'), { button: 0 })
    for (const at of ['Monday 10:00', 'Monday 12:00', 'Monday 13:00']) fireEvent.pointerOver(cell(at))
    fireEvent.pointerUp(cell('Monday 13:00'))
    fireEvent.pointerOver(cell('Friday 20:00'))
    expect(on()).toHaveLength(5)
    expect(screen.getByText('Mon 09:00–14:00')).toBeVisible()
    expect(screen.getByRole('status')).toHaveTextContent('5 hours switched on')
    fireEvent.pointerDown(cell('Monday 10:00'), { button: 0 })
    fireEvent.pointerOver(cell('Tuesday 12:00'))
    fireEvent.pointerOver(cell('Monday 11:00'))
    fireEvent.pointerUp(cell('Monday 11:00'))
    expect(screen.getByText('Mon 09:00–10:00, 12:00–14:00')).toBeVisible()
  })

  // covers CAM-SCH-04
  it('takes an hour of every day in the row "All days"', () => {
    const { sent } = open()
    expect(rowHeader('All days, all hours')).toHaveTextContent('All days')
    press(hour('All days 09:00'))
    expect(Object.values(sent().scheduling ?? {})).toEqual(Array.from({ length: 7 }, () => ['09']))
    press(cell('Friday 09:00'))
    expect(hour('All days 09:00, in part')).toHaveAttribute('aria-selected', 'false')
    press(hour('All days 09:00, in part'))
    expect(on()).toHaveLength(7)
  })

  it('takes a whole day by its name', () => {
    open()
    press(rowHeader('Saturday, all hours'))
    expect(screen.getByText('Sat 00:00–24:00')).toBeVisible()
    expect(screen.getByText('24 of 168 hours')).toBeVisible()
    press(rowHeader('Saturday, all hours'))
    expect(on()).toEqual([])
  })

  it('the grid is one stop of Tab, walked and painted by keys', async () => {
    open()
    expect(
      within(grid())
        .getAllByRole('gridcell')
        .filter((each) => each.tabIndex === 0),
    ).toHaveLength(1)
    cell('Monday 00:00').focus()
    await userEvent.keyboard('{ArrowRight}{ArrowDown} ')
    expect(cell('Tuesday 01:00')).toHaveFocus()
    await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowRight}{ArrowDown}{/Shift}')
    expect(cell('Wednesday 03:00')).toHaveFocus()
    expect(screen.getByText('Tue 01:00–04:00; Wed 03:00–04:00')).toBeVisible()
    await userEvent.keyboard('{Home} ')
    expect(rowHeader('Wednesday, all hours')).toHaveFocus()
    expect(screen.getByText('Tue 01:00–04:00; Wed 00:00–24:00')).toBeVisible()
    await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}')
    expect(cell('Wednesday 00:00')).toHaveFocus()
    expect(on()).toHaveLength(27)
    await userEvent.keyboard('{Control>}{Home}{/Control}')
    expect(rowHeader('All days, all hours, in part')).toHaveFocus()
    await userEvent.keyboard('{Control>}{End}{/Control}')
    expect(cell('Sunday 23:00')).toHaveFocus()
  })

  it('the grid can be set at once, and says what came of it', async () => {
    open()
    press(cell('Sunday 05:00'))
    await userEvent.click(screen.getByRole('button', { name: 'Business hours' }))
    expect(screen.getByText('Mon–Fri 09:00–18:00')).toBeVisible()
    expect(screen.getByRole('status')).toHaveTextContent('45 of 168 hours')
    await userEvent.click(screen.getByRole('button', { name: 'Always on' }))
    expect(screen.getByText('Every hour of the week: the ads always run.')).toBeVisible()
    const clear = screen.getByRole('button', { name: 'Clear' })
    await userEvent.click(clear)
    expect(screen.getByText('All hours (no schedule)', { selector: 'p' })).toBeVisible()
    expect(screen.queryByText(/^0 of 168/)).toBeNull()
    expect(clear).toHaveFocus()
  })

  it('names the zone its hours are in', () => {
    open()
    expect(screen.getByText("Hours are in the campaign's time zone, UTC+02:00.")).toBeVisible()
  })

  it('the grid can be walked but not painted by readers', async () => {
    const scheduling = { ...inUse.scheduling, '1': ['09'] }
    const { form } = open(campaignWith({ ...inUse, scheduling }), true)
    expect(grid()).toHaveAttribute('aria-readonly', 'true')
    expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull()
    press(cell('Monday 10:00'))
    cell('Monday 00:00').focus()
    await userEvent.keyboard(' {Shift>}{ArrowRight}{/Shift}')
    expect(cell('Monday 01:00')).toHaveFocus()
    expect(form().getValues('frequency.scheduling.1')).toEqual(['09'])
  })
})
