import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { reportsDashboard, reportsTotal } from '#contract/account-reports'
import { reportTable } from '#contract/report-tables'
import { addSavedReport, removeSavedReport, savedReports, type SavedReport } from '#contract/saved-reports'
import { READ_AT, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const SAVED: SavedReport = {
  id: 'saved-1',
  name: 'Creatives of the month',
  report: {
    grouping: 'creative',
    range: 'thisMonth',
    order_field: 'clicks',
    order_asc: true,
    device_type_keys: [3, 5],
    search: 'main',
  },
  schedule: 'weekly',
  schedule_day: 1,
  format: 'csv',
  next_at: '2026-11-30T08:00:00.000Z',
  created_at: '2026-11-25T10:00:00.000Z',
  owner: null,
}
const FIGURES = { points: [], totals: { impressions: 1 }, rows: [], total_size: 0, currency: 'USD', ...READ_AT }

function open(address: string, saved: readonly SavedReport[] = [SAVED]) {
  const server = signedInServer()
  server.on(reportsTotal, () => FIGURES)
  server.on(reportsDashboard, () => FIGURES)
  server.on(reportTable, () => ({
    rows: [],
    totals: {},
    current_page: 0,
    page_size: 25,
    total_size: 0,
    left_out: 0,
    currency: 'USD',
    time_zone: 'UTC',
    ...READ_AT,
  }))
  server.on(savedReports, () => [...saved])
  return { server, ...renderRoute(address) }
}

it('a saved report is listed with its schedule, opened and removed', async () => {
  const { server } = open('/reports')
  await userEvent.click(await screen.findByRole('button', { name: 'Saved reports' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Saved reports' }))
  expect(await dialog.findByText('By mail every Monday')).toBeVisible()
  server.on(removeSavedReport, () => ({ id: 'saved-1', position: '1' }))
  server.on(savedReports, () => [])
  await userEvent.click(dialog.getByRole('button', { name: 'Remove Creatives of the month' }))
  expect(await dialog.findByText('You have no saved reports in this account.')).toBeVisible()
  expect(server.calls(removeSavedReport)[0]?.params).toEqual({ id: 'saved-1' })
})

it('a report of another person of the account names them', async () => {
  open('/reports', [{ ...SAVED, owner: 'Chidi Okafor' }])
  await userEvent.click(await screen.findByRole('button', { name: 'Saved reports' }))
  expect(await screen.findByText('By Chidi Okafor · By mail every Monday')).toBeVisible()
})

it('the link of a mail leads to the report with its grouping, order, search and filters', async () => {
  const { server, address } = open('/reports?saved=saved-1')
  await waitFor(() => expect(address()).toContain('by=creative'))
  expect(address()).not.toContain('saved=')
  await waitFor(() =>
    expect(server.calls(reportTable).at(-1)?.body).toMatchObject({
      grouping: 'creative',
      order_field: 'clicks',
      order_asc: true,
      search: 'main',
      device_type_keys: [3, 5],
      from_date: expect.stringMatching(/-01$/) as unknown,
    }),
  )
})

it('the report that is shown is saved with its schedule', async () => {
  const { server } = open('/reports?by=exchange&order=spent&dir=desc&q=goo', [])
  server.on(addSavedReport, () => ({ id: 'saved-2', position: '2' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Saved reports' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Save this report' }))
  const form = within(await screen.findByRole('dialog', { name: 'Save this report' }))
  await userEvent.type(form.getByRole('textbox', { name: /Name/ }), 'Exchanges')
  await userEvent.selectOptions(form.getByRole('combobox', { name: /Send by mail/ }), 'By mail on day 15 of each month')
  await userEvent.selectOptions(form.getByRole('combobox', { name: /File in the mail/ }), 'Excel')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.calls(addSavedReport)).toHaveLength(1))
  expect(server.calls(addSavedReport)[0]?.body).toMatchObject({
    name: 'Exchanges',
    report: { grouping: 'exchange', range: 'last7', order_field: 'spent', order_asc: false, search: 'goo' },
    schedule: 'monthly',
    schedule_day: 15,
    format: 'xlsx',
  })
})
