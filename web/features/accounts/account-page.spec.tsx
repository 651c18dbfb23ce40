import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import {
  accountHistory,
  accountSearch,
  adminUser,
  changeCreditLimit,
  changeLegalEntity,
  changeSettings,
  restoreAccount,
  staff,
  suspendAccount,
  type AccountRecord,
} from '#contract/accounts'
import { adminListCampaigns, countCampaigns } from '#contract/campaign-list'
import { getTeam } from '#contract/team'
import { accountWith, foundAccount } from '@/test/account-fixture'
import { listRowWith, pageOf, refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { KARIM, teamOf } from '@/test/team-fixture'

function open(changes: Partial<AccountRecord> = {}, { role = 'WL_OWNER', path = '/admin/user/details/ada' } = {}) {
  const server = signedInServer({ role })
  let account = accountWith(changes)
  server.on(adminUser, () => account)
  server.on(staff, () => ({ people: [{ id: 'marek', name: 'Marek Novak' }] }))
  server.on(suspendAccount, () => {
    account = { ...account, suspended: true, suspended_at: '2026-11-02T10:00:00.000Z', suspended_reason: 'Unpaid' }
    return { space_id: 'space-1', suspended: true, position: '5' }
  })
  server.on(restoreAccount, () => {
    account = { ...account, suspended: false }
    return { space_id: 'space-1', suspended: false, position: '6' }
  })
  return { server, ...renderRoute(path) }
}
const overview = () => screen.findByRole('region', { name: 'Funds' })

const NO_LEGAL_ENTITY = {
  legal_entity_name: '',
  tin_number: '',
  address_line_1: '',
  address_line_2: '',
  city: '',
  postal_code: '',
  country: '',
  invoice_email: '',
  tax_mode: null,
  tax_rate: null,
}

describe('the details of an account', () => {
  // covers ADM-12
  // covers ADM-13
  // covers ROUTE-22
  it('the details of an account show its funds, terms and owner', async () => {
    open({ invoice_due_day: 15, manager_id: 'marek', source: 'google_ads', account_type: 'agency' })
    expect(await overview()).toHaveTextContent('Balance$1,200.50Credit limit$100.00Available$1,300.50Spent$340.25')
    const terms = screen.getByRole('region', { name: 'Terms' })
    await waitFor(() => expect(terms).toHaveTextContent('Account managerMarek Novak'))
    expect(terms).toHaveTextContent('Day 15 of the month')
    expect(terms).toHaveTextContent('Rewarded CPM rate1')
    expect(screen.getByRole('region', { name: 'Profile' })).toHaveTextContent('Emailada@nile.example')
  })

  it('the details of an account suspend with a reason and restore', async () => {
    const { server } = open()
    await userEvent.click(await screen.findByRole('button', { name: 'Suspend' }))
    const dialog = await screen.findByRole('dialog', { name: 'Suspend Nile Travel?' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Suspend account' }))
    expect(await within(dialog).findByText('This field is required')).toBeVisible()
    expect(server.calls(suspendAccount)).toHaveLength(0)
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'Unpaid')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Suspend account' }))
    expect(await screen.findByText(/This account is suspended since Nov 02, 2026. Reason: Unpaid/)).toBeVisible()
    expect(server.calls(suspendAccount)[0]?.body).toEqual({ reason: 'Unpaid' })
    await userEvent.click(screen.getByRole('button', { name: 'Restore' }))
    await userEvent.type(await screen.findByRole('textbox', { name: 'Reason' }), 'Paid')
    await userEvent.click(screen.getByRole('button', { name: 'Restore account' }))
    expect(await screen.findByRole('button', { name: 'Suspend' })).toBeVisible()
  })

  it('the details of an account show faults of the server beside the fields of the settings', async () => {
    const { server } = open()
    const fault = { path: 'invoice_due_day', code: 2, message: '', key: 'outOfRange', params: { min: 1, max: 28 } }
    server.on(changeSettings, () => refusal(2, 400, [fault]))
    await userEvent.click(await screen.findByRole('button', { name: 'Edit settings' }))
    const dialog = await screen.findByRole('dialog', { name: 'Settings of Nile Travel' })
    const day = within(dialog).getByLabelText('Invoice due day')
    await userEvent.type(day, '29')
    await userEvent.selectOptions(within(dialog).getByLabelText('Account type'), 'Brand')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(day).toBeInvalid())
    expect(within(dialog).getByText('The value should be between 1 and 28')).toBeVisible()
    expect(server.calls(changeSettings)[0]?.body).toMatchObject({
      invoice_due_day: 29,
      account_type: 'brand',
      rewarded_ads_cpm_rate: 1,
      max_margin: null,
      allow_make_payment: true,
    })
    server.on(changeSettings, () => ({ space_id: 'space-1', changed: ['invoice_due_day'], position: '7' }))
    await userEvent.clear(day)
    await userEvent.type(day, '28')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  // covers ADM-36
  it('the details of an account offer freelancer, agency and brand as types', async () => {
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Edit settings' }))
    const options = within(await screen.findByLabelText('Account type')).getAllByRole('option')
    expect(options.map((option) => option.getAttribute('value'))).toEqual(['', 'freelancer', 'agency', 'brand'])
  })

  it('the details of an account refuse an amount that is no number before asking the server', async () => {
    const { server } = open()
    await userEvent.click(await screen.findByRole('button', { name: 'Credit limit' }))
    const box = await screen.findByRole('textbox', { name: 'Credit limit' })
    await userEvent.clear(box)
    await userEvent.type(box, 'much')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Enter a number')).toBeVisible()
    expect(server.calls(changeCreditLimit)).toHaveLength(0)
  })

  // covers USR-30
  it('the details of an account have tabs for campaigns, with their number, people and history', async () => {
    const { server, address } = open()
    server.on(countCampaigns, ({ params }) => (params['spaceId'] === 'space-1' ? 12 : 0))
    server.on(adminListCampaigns, () => pageOf([listRowWith({ name: 'Autumn', spent: 12 })]))
    server.on(getTeam, () => teamOf(KARIM))
    server.on(accountHistory, () =>
      pageOf([
        {
          id: 'e1',
          at: '2026-11-02T10:00:00.000Z',
          type: 'AccountSettingsChanged',
          actor: { id: 'olivia', name: 'Olivia Mbeki' },
          changes: [{ field: 'account_type', from: null, to: 'agency' }],
          reason: null,
          amount: null,
        },
        {
          id: 'e2',
          at: '2026-11-01T10:00:00.000Z',
          type: 'FundsCredited',
          actor: { id: 'olivia', name: 'Olivia Mbeki' },
          changes: [],
          reason: 'transfer',
          amount: 25,
        },
      ]),
    )
    await overview()
    await userEvent.click(await screen.findByRole('tab', { name: /Campaigns ?12/ }))
    expect(await screen.findByRole('link', { name: 'Autumn' })).toBeVisible()
    expect(server.calls(adminListCampaigns).at(-1)?.body).toMatchObject({ space_id: 'space-1' })
    await userEvent.click(screen.getByRole('tab', { name: 'People' }))
    expect(await screen.findByText(KARIM.email)).toBeVisible()
    await userEvent.click(screen.getByRole('tab', { name: 'History' }))
    expect(await screen.findByText('Account type: Not set → Agency')).toBeVisible()
    expect(screen.getByText('Funds credited: $25.00')).toBeVisible()
    expect(address()).toContain('tab=history')
  })

  it('the details of a registrant offer no account actions', async () => {
    open({ opened: false, status_key: 1 })
    expect(await screen.findByText('This registrant has no account yet.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Switch into account' })).toBeNull()
    expect(screen.getAllByRole('tab')).toHaveLength(1)
  })

  it('the details of an account offer accountants of the white-label nothing to change', async () => {
    open({}, { role: 'WHITELABEL_ACCOUNTANT' })
    await overview()
    for (const name of ['Suspend', 'Edit settings', 'Credit funds', 'Switch into account'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    expect(screen.queryByRole('tab', { name: 'History' })).toBeNull()
  })
})

describe('the account finder', () => {
  const withFound = (found: readonly ReturnType<typeof foundAccount>[]) => {
    const page = open()
    page.server.on(accountSearch, () => ({ accounts: [...found] }))
    return page
  }
  const box = () => screen.findByRole('combobox', { name: 'Go to another account' })

  // covers SEARCH-25
  it('the account finder is a search box preset with the account of the address', async () => {
    withFound([])
    await waitFor(async () => expect(await box()).toHaveValue('Nile Travel'))
  })

  // covers SEARCH-20
  it('asks once, 300 ms after typing stops', async () => {
    const { server } = withFound([foundAccount()])
    await overview()
    const begun = Date.now()
    await userEvent.clear(await box())
    await userEvent.type(await box(), 'lagos')
    await waitFor(() => expect(server.calls(accountSearch).at(-1)?.body).toEqual({ name: 'lagos' }))
    expect(Date.now() - begun).toBeGreaterThanOrEqual(300)
    expect(server.calls(accountSearch).filter(({ body }) => (body as { name: string }).name !== '')).toHaveLength(1)
  })

  // covers SEARCH-21
  it('the account finder has a button that clears it', async () => {
    withFound([])
    await overview()
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
    expect(await box()).toHaveValue('')
    expect(await box()).toHaveFocus()
  })

  it('opens the chosen account by keyboard', async () => {
    const { address } = withFound([
      foundAccount({ own: true }),
      foundAccount({ space_id: 's2', user_id: 'bola', space_name: 'Lagos' }),
    ])
    await overview()
    await userEvent.click(await box())
    const options = await screen.findAllByRole('option')
    expect(options[0]).toHaveTextContent('Your account')
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await waitFor(() => expect(address()).toBe('/admin/user/details/bola'))
    expect(screen.queryByRole('listbox')).toBeNull()
  })

  // covers SEARCH-23
  it('says that no user was found', async () => {
    withFound([])
    await overview()
    await userEvent.click(await box())
    expect(await screen.findByText('User not found')).toBeVisible()
  })

  // covers SEARCH-24
  it('closes on a click outside', async () => {
    withFound([foundAccount()])
    await overview()
    await userEvent.click(await box())
    await screen.findByRole('option')
    await userEvent.click(await overview())
    await waitFor(() => expect(screen.queryByRole('option')).toBeNull())
  })
})

describe('the page of a legal entity', () => {
  // covers ADM-18
  // covers ROUTE-24
  it('shows and saves the name and the number', async () => {
    const { server } = open({ legal_entity_name: 'Nile S.A.E.' }, { path: '/admin/legal-entity/user/ada' })
    server.on(changeLegalEntity, ({ body }) => ({
      ...NO_LEGAL_ENTITY,
      ...(body as { user_id: string }),
      position: '4',
    }))
    const name = await screen.findByRole('textbox', { name: 'Legal entity name' })
    expect(name).toHaveValue('Nile S.A.E.')
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
    await userEvent.type(screen.getByRole('textbox', { name: 'TIN' }), '123')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(server.calls(changeLegalEntity)[0]?.body).toEqual({
        user_id: 'ada',
        legal_entity_name: 'Nile S.A.E.',
        tin_number: '123',
      }),
    )
  })

  it('saves the changed fields and the tax, and shows a refused one', async () => {
    const { server } = open(
      { legal_entity_name: 'Nile S.A.E.', city: 'Cairo', tax_mode: 'exclusive', tax_rate: 1400 },
      { path: '/admin/legal-entity/user/ada' },
    )
    server.on(changeLegalEntity, () =>
      refusal(2, 400, [
        { path: 'tax_rate', code: 2, message: 'Out of range', key: 'outOfRange', params: { min: 1, max: 10_000 } },
      ]),
    )
    const rate = await screen.findByRole('textbox', { name: 'Tax rate, %' })
    expect(rate).toHaveValue('14')
    await userEvent.clear(rate)
    await userEvent.type(rate, '120.5')
    await userEvent.type(screen.getByRole('textbox', { name: 'Postal code' }), '11511')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Enter a rate above 0 and up to 100')).toBeVisible()
    expect(server.calls(changeLegalEntity)[0]?.body).toEqual({
      user_id: 'ada',
      legal_entity_name: 'Nile S.A.E.',
      tin_number: '',
      postal_code: '11511',
      tax_mode: 'exclusive',
      tax_rate: 12_050,
    })
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Tax' }), 'As the white-label')
    expect(screen.queryByRole('textbox', { name: 'Tax rate, %' })).toBeNull()
  })
})
