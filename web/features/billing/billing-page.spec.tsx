import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { accountSearch, getSpace } from '#contract/accounts'
import { balance } from '#contract/balance'
import { listInvoices } from '#contract/invoices'
import { spaceLedger, type LedgerMovement } from '#contract/ledger'
import { getUser } from '#contract/session'
import type { OwnRight } from '#domain/kit/access'
import { PERSON, pageOf, refusal, signedInServer } from '@/test/fake-server'
import { fundsOf } from '@/test/funds-fixture'
import { renderRoute } from '@/test/render-route'

const movement = (fields: Partial<LedgerMovement>): LedgerMovement => ({
  id: 'm1',
  at: '2026-11-20T10:00:00.000Z',
  type: 'spend',
  amount: -12.5,
  balance_after: 87.5,
  cause: 'settlement 7',
  settlement: 7,
  settlements: 3,
  payment_id: null,
  invoice_id: null,
  actor: 'Platform',
  ...fields,
})
const MOVEMENTS = [
  movement({}),
  movement({
    id: 'm2',
    type: 'credit',
    amount: 100,
    balance_after: 100,
    cause: 'goodwill',
    settlement: null,
    settlements: null,
    actor: 'Olivia Mbeki',
  }),
]

const NO_RIGHTS: readonly OwnRight[] = []

function open(path: string, { role = 'USER_OWNER', rights = NO_RIGHTS, house = false, data = MOVEMENTS } = {}) {
  const server = signedInServer({ role })
  server.on(getUser, () => ({ ...PERSON, roles: [role], role_key: role, rights: [...rights] }))
  server.on(getSpace, ({ params: { id = '' } }) => ({
    space_id: id,
    space_name: house && id === 'space-1' ? 'DSP House' : 'Nile Travel',
    whitelabel_id: 'dsp',
    currency: 'USD',
    house: house && id === 'space-1',
    created_at: '2026-01-01T00:00:00.000Z',
    suspended: false,
    rewarded_ads_cpm_rate: 1,
    allow_make_payment: true,
  }))
  server.on(balance, () =>
    fundsOf(87.5, { credit_limit: 50, available: 137.5, reserved: 20, unsettled: 2.25, runway_days: 6.4, spent_today: 12.5 }),
  )
  server.on(spaceLedger, () => pageOf([...data]))
  server.on(listInvoices, () => ({ ...pageOf([]), totals: [] }))
  return { server, ...renderRoute(path) }
}
const rows = async () =>
  within(await screen.findByRole('table', { name: 'Movements of the balance', busy: false }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent))

describe('billing of an advertiser', () => {
  it('billing of an advertiser has no invoices for a viewer who was granted the balance alone', async () => {
    const { server } = open('/payments/history?tab=invoices', {
      role: 'USER_VIEWER',
      rights: [{ right: 'balance.read', kind: 'granted', until: null }],
    })
    expect(await rows()).toHaveLength(3)
    expect(screen.getByRole('tab', { name: 'Movements' })).toBeVisible()
    expect(screen.queryByRole('tab', { name: 'Invoices' })).toBeNull()
    expect(server.calls(listInvoices)).toEqual([])
  })

  it('billing of an advertiser has nothing but invoices for a viewer who was granted these alone', async () => {
    const { server } = open('/payments/history', {
      role: 'USER_VIEWER',
      rights: [{ right: 'invoice.read', kind: 'granted', until: null }],
    })
    expect(await screen.findByRole('tab', { name: 'Invoices', selected: true })).toBeVisible()
    expect(await screen.findByText('No invoices yet')).toBeVisible()
    expect(server.calls(listInvoices)).toHaveLength(1)
    expect(screen.queryByRole('tab', { name: 'Movements' })).toBeNull()
    expect(screen.queryByText('Reserved')).toBeNull()
    expect([server.calls(spaceLedger), server.calls(balance)]).toEqual([[], []])
  })

  // covers ROUTE-12
  it('shows what the account has, what is reserved, and how long it lasts', async () => {
    open('/payments/history')
    expect(await screen.findByRole('heading', { name: 'Billing' })).toBeVisible()
    const funds = await screen.findByText('Reserved')
    const summary = funds.closest('dl')
    await waitFor(() => expect(summary).toHaveTextContent('Balance$87.50'))
    expect(summary).toHaveTextContent('after $2.25 of spend that is not settled yet')
    expect(summary).toHaveTextContent('Available$137.50with a credit limit of $50.00')
    expect(summary).toHaveTextContent('Reserved$20.00')
    expect(summary).toHaveTextContent('Spent today$12.50')
    expect(summary).toHaveTextContent('Lasts6 days')
  })

  it('shows every movement with its cause, amount and the balance after it', async () => {
    open('/payments/history')
    expect(await rows()).toEqual([
      ['Date', 'Movement', 'By', 'Amount', 'Balance after'],
      [expect.stringContaining('Nov 20, 2026'), 'Delivery3 charges', 'Platform', '−$12.50', '$87.50'],
      [expect.stringContaining('Nov 20, 2026'), 'Creditgoodwill', 'Olivia Mbeki', '+$100.00', '$100.00'],
    ])
  })

  it('filters by type, and keeps the filter in the address', async () => {
    const { server, history } = open('/payments/history')
    await rows()
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'Credit')
    await waitFor(() => expect(history.location.search).toContain('type=credit'))
    expect(server.calls(spaceLedger).at(-1)?.body).toMatchObject({ type: 'credit', daily: true, page: 0 })
  })

  it('says when nothing moved, and when the filter hides everything', async () => {
    open('/payments/history', { data: [] })
    expect(await screen.findByText('Nothing moved yet')).toBeVisible()
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'Refund')
    expect(await screen.findByText('No movements found')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Clear the filters' }))
    expect(await screen.findByText('Nothing moved yet')).toBeVisible()
  })

  it('offers to load again after a failure', async () => {
    const { server } = open('/payments/history')
    server.on(spaceLedger, () => refusal(1, 500))
    expect(await screen.findByText('The movements could not be loaded')).toBeVisible()
  })
})

// covers SHELL-02
it('an accountant has the transactions of the own account', async () => {
  const { server } = open('/payments/history', { role: 'ACCOUNTANT' })
  expect(await screen.findByRole('heading', { name: 'Transactions' })).toBeVisible()
  expect(await rows()).toHaveLength(3)
  expect(server.calls(spaceLedger)[0]?.params).toEqual({ id: 'space-1' })
  expect(screen.queryByRole('combobox', { name: 'Account' })).toBeNull()
})

describe('staff', () => {
  // covers ROUTE-20 SEARCH-19
  it.each([
    ['/admin/payments', 'WL_OWNER'],
    ['/admin/payments', 'WHITELABEL_ACCOUNTANT'],
    ['/payments/history', 'WHITELABEL_ACCOUNTANT'],
  ])('staff choose an account at %s as %s, and see its money', async (path, role) => {
    const { server, history } = open(path, { role, house: true })
    server.on(accountSearch, () => ({
      accounts: [
        {
          type_key: 2 as const,
          space_id: 'space-9',
          space_name: 'Nile Travel',
          created_at: '2026-01-01T00:00:00.000Z',
          currency: 'USD',
          suspended: false,
          user_id: null,
          first_name: null,
          last_name: null,
          picture_id: null,
          own: false,
        },
      ],
    }))
    server.on(listInvoices, () => ({ ...pageOf([]), totals: [] }))
    // The administration begins with the invoices of all accounts.
    expect(await screen.findByText(path === '/admin/payments' ? 'No invoices yet' : 'Choose an account')).toBeVisible()
    await userEvent.click(screen.getByRole('combobox', { name: 'Account' }))
    await userEvent.click(await screen.findByRole('option', { name: /Nile Travel/ }))
    await waitFor(() => expect(history.location.search).toContain('space=space-9'))
    expect(await rows()).toHaveLength(3)
    expect(server.calls(spaceLedger)[0]?.params).toEqual({ id: 'space-9' })
  })

  it.each(['USER_OWNER', 'ACCOUNTANT', 'WL_MODERATOR'])(
    'staff alone reach the payments of all accounts, not %s',
    async (role) => {
      const { history } = open('/admin/payments', { role })
      await waitFor(() => expect(history.location.pathname).not.toBe('/admin/payments'))
    },
  )
})
