import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { accountExcel, accountTotals, listAccounts, type AccountRecord } from '#contract/accounts'
import { accountWith } from '@/test/account-fixture'
import { isBeyond, pageOf, refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const ROWS = [
  accountWith(),
  accountWith({
    id: 'bola',
    space_id: 'space-2',
    space_name: 'Lagos Foods',
    currency: 'NGN',
    suspended: true,
    first_name: 'Bola',
  }),
  accountWith({ id: 'zoe', space_id: 'space-3', space_name: 'Éclair', opened: false, status_key: 1 }),
]

function open(rows: readonly AccountRecord[] = ROWS, search = '', total = rows.length) {
  const server = signedInServer({ role: 'WL_OWNER' })
  server.on(listAccounts, ({ body }) => pageOf(isBeyond(body, 25, total) ? [] : [...rows], total))
  server.on(accountTotals, () => ({
    count: total,
    suspended: 1,
    balance: { USD: 1200.5, NGN: 7 },
    spent: { USD: 340.25, NGN: 0 },
  }))
  const asked = () => server.calls(listAccounts).at(-1)?.body
  return { server, asked, ...renderRoute(`/admin/accounts${search}`) }
}
const table = () => screen.findByRole('table', { name: 'Accounts', busy: false })

describe('the list of accounts', () => {
  // covers ROUTE-19
  // covers SHELL-03
  // covers SHELL-33
  it('shows accounts and registrants with their state', async () => {
    open()
    const rows = within(await table()).getAllByRole('row')
    expect(rows).toHaveLength(4)
    expect(rows[1]).toHaveTextContent(/Nile Travel.*Ada Nile.*Active.*\$1,200\.50.*\$340\.25.*7.*3 running/)
    expect(rows[2]).toHaveTextContent(/Lagos Foods.*Suspended/)
    expect(rows[3]).toHaveTextContent(/Éclair.*Needs verification/)
    const link = await screen.findByRole('link', { name: /^Accounts/ })
    expect(link).toHaveAttribute('href', '/admin/accounts')
  })

  it('leads owners to the form for a new account', async () => {
    open()
    expect(await screen.findByRole('link', { name: 'Add account' })).toHaveAttribute('href', '/admin/accounts/add')
  })

  // covers ADM-09
  it('shows totals over the filter, money by currency', async () => {
    const { server } = open(ROWS, '?q=nile')
    await table()
    const totals = screen.getByLabelText('Totals')
    await waitFor(() => expect(totals).toHaveTextContent('Accounts3Suspended1Balance$1,200.50₦7.00Spent$340.25₦0.00'))
    expect(server.calls(accountTotals).at(-1)?.body).toMatchObject({ search: 'nile' })
  })

  // covers ADM-06
  it('searches after a pause in typing', async () => {
    const { asked, address } = open()
    await table()
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search by account, owner or email' }), 'ada')
    await waitFor(() => expect(asked()).toMatchObject({ search: 'ada', page: 0 }))
    expect(address()).toContain('q=ada')
  })

  // covers ADM-04
  it('filters by name', async () => {
    const { asked } = open()
    await table()
    await userEvent.type(screen.getByRole('searchbox', { name: 'Account name' }), 'nile')
    await waitFor(() => expect(asked()).toMatchObject({ name: 'nile' }))
  })

  // covers ADM-07
  it('filters by status', async () => {
    const { asked } = open()
    await table()
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Suspended')
    await waitFor(() => expect(asked()).toMatchObject({ status: 'suspended' }))
  })

  // covers ADM-08
  it('sends the key of a verification state', async () => {
    const { asked } = open()
    await table()
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Active')
    await waitFor(() => expect(asked()).toMatchObject({ status_filter_key: 5 }))
  })

  it('filters by a period in words', async () => {
    const { asked } = open()
    await table()
    await userEvent.selectOptions(screen.getByLabelText('Period of creation'), 'Created in the last 7 days')
    await waitFor(() => expect(asked()).toMatchObject({ dateLabel: 'last_7_days' }))
  })

  // covers ADM-01
  it('filters by two days that are picked from the calendar', async () => {
    const { asked, address } = open(ROWS, '?period=custom&start=2026-03-01&end=2026-03-31')
    await table()
    await userEvent.click(screen.getByRole('button', { name: /^Date range/ }))
    await userEvent.click(await screen.findByRole('button', { name: 'Custom range' }))
    await userEvent.click(await screen.findByRole('button', { name: /March 3, 2026/ }))
    await userEvent.click(screen.getByRole('button', { name: /March 9, 2026/ }))
    await waitFor(() => expect(asked()).toMatchObject({ from_date: '2026-03-03', to_date: '2026-03-09', page: 0 }))
    expect(address()).toContain('start=2026-03-03')
    await userEvent.selectOptions(screen.getByLabelText('Period of creation'), 'Created any time')
    await waitFor(() => expect(asked()).not.toHaveProperty('from_date'))
  })

  // covers ADM-03
  it('filters by a custom range', async () => {
    const { asked } = open(ROWS, '?period=custom&start=2026-03-01&end=2026-03-31')
    await table()
    expect(asked()).toMatchObject({
      dateCustomRange: ['2026-03-01', '2026-03-31'],
      from_date: '2026-03-01',
      to_date: '2026-03-31',
    })
    expect(screen.getByRole('button', { name: /Mar 01 – Mar 31/ })).toBeVisible()
  })

  // covers ADM-05
  it('the list of accounts has pages and an order, which the address keeps', async () => {
    const { asked, address } = open(ROWS, '', 60)
    await table()
    await userEvent.click(screen.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(asked()).toMatchObject({ page: 1, page_size: 25 }))
    await userEvent.click(within(await table()).getByRole('button', { name: /Balance/ }))
    await waitFor(() => expect(asked()).toMatchObject({ sort: 'balance', descending: true }))
    expect(address()).toMatch(/sort=balance/)
  })

  it('shows the last page instead of a page beyond it', async () => {
    const { address } = open(ROWS, '?page=9', 60)
    expect(await screen.findByText('Lagos Foods')).toBeVisible()
    expect(address()).toBe('/admin/accounts?page=2')
    expect(screen.queryByText('No accounts yet')).toBeNull()
  })

  // covers ADM-10
  it('saves the filtered list as an Excel file', async () => {
    const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file')
    const { server } = open(ROWS, '?q=nile')
    server.on(accountExcel, () => new Blob(['xlsx']))
    await table()
    await userEvent.click(screen.getByRole('button', { name: 'Excel' }))
    await waitFor(() => expect(made).toHaveBeenCalled())
    expect(server.calls(accountExcel).at(-1)?.body).toMatchObject({ search: 'nile' })
    made.mockRestore()
  })

  it('offers to clear filters that hide every account', async () => {
    const { address } = open([], '?q=zzz')
    await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(address()).toBe('/admin/accounts'))
  })

  it('says that there are none yet, or that they could not be loaded', async () => {
    const { server } = open([])
    expect(await screen.findByText('No accounts yet')).toBeVisible()
    server.on(listAccounts, () => refusal(1, 500))
    renderRoute('/admin/accounts')
    expect(await screen.findByText('Accounts could not be loaded')).toBeVisible()
  })
})
