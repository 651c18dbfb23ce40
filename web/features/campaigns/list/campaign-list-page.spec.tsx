import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { format } from 'date-fns'
import { toast } from '@/lib/toast'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { adminListAccounts, adminListCampaigns, listCampaigns, type ListRow } from '#contract/campaign-list'
import { createCampaign, getCampaign, pauseCampaign, runCampaign, toggleArchive } from '#contract/campaign'
import { accountReport, campaignReport, campaignTotal } from '#contract/reports'
import { listAccounts } from '#contract/accounts'
import { accountWith } from '@/test/account-fixture'
import { LIST_DEFAULTS } from './campaign-list-search.ts'
import { CampaignListToolbar } from './campaign-list-toolbar.tsx'
import { campaignWith } from '@/test/campaign-form'
import { renderRoute } from '@/test/render-route'
import { listRowWith, pageOf, refusal, signedInServer, type FakeServer, READ_AT } from '@/test/fake-server'

let server: FakeServer
const withRows = (...rows: ListRow[]) => server.on(listCampaigns, () => pageOf(rows))
const rowOf = (name: string) => screen.getByRole('row', { name: new RegExp(name) })
const lastList = () => server.calls(listCampaigns).at(-1)?.body
const outcome = (id: string, status_key: number) => ({ id, status_key, status_reasons: [], revision: 4, position: '9' })

beforeEach(() => {
  server = signedInServer()
})

async function open(address = '/campaigns') {
  const page = renderRoute(address)
  await screen.findByRole('table')
  await waitFor(() => expect(screen.getByRole('table')).toHaveAttribute('aria-busy', 'false'))
  return page
}

describe('the dates of the list', () => {
  // covers CAM-LIST-18
  it('the dates of the list keep a custom range in the address, and read it from there', async () => {
    withRows(listRowWith())
    const { address } = await open()
    const month = format(new Date(), 'MMMM')
    await userEvent.click(screen.getByRole('button', { name: /^Date range/ }))
    await userEvent.click(await screen.findByRole('button', { name: 'Custom range' }))
    await userEvent.click(await screen.findByRole('button', { name: new RegExp(`${month} 3,`) }))
    await userEvent.click(screen.getByRole('button', { name: new RegExp(`${month} 9,`) }))
    const [start, end] = ['03', '09'].map((day) => format(new Date(), `yyyy-MM-'${day}'`))
    await waitFor(() => expect(address()).toContain(`start=${start}&end=${end}`))
    const chosen = address()
    cleanup()
    renderRoute(chosen)
    const short = format(new Date(), 'MMM')
    expect(await screen.findByRole('button', { name: `Date range: ${short} 03 – ${short} 09` })).toBeVisible()
    await waitFor(() => expect(lastList()).toMatchObject({ from_date: expect.stringContaining(String(start)) }))
  })
})

describe('the table of campaigns', () => {
  // covers CAM-ROUTE-02 CAM-LIST-01..07 CAM-LIST-42
  it('the table of campaigns has five columns that sort both ways, a trend, and actions for every row', async () => {
    withRows(listRowWith())
    const { address } = await open()
    const heads = within(screen.getByRole('table')).getAllByRole('columnheader')
    expect(heads.map(({ textContent }) => textContent).filter(Boolean)).toEqual([
      'Name',
      'Impressions',
      'Clicks',
      'Conversions',
      'Spend',
      'Trend',
      'Actions',
    ])
    for (const [column, field, first] of [
      ['Name', 'name', true],
      ['Impressions', 'impressions', false],
      ['Clicks', 'clicks', false],
      ['Conversions', 'conversions', false],
      ['Spend', 'spent', false],
    ] as const) {
      for (const ascending of [first, !first]) {
        await userEvent.click(screen.getByRole('button', { name: column }))
        await waitFor(() => expect(lastList()).toMatchObject({ order_field: field, order_asc: ascending }))
        expect(screen.getByRole('columnheader', { name: column })).toHaveAttribute(
          'aria-sort',
          ascending ? 'ascending' : 'descending',
        )
      }
      expect(address()).toContain(`sort=${field}`)
    }
    expect(screen.getByRole('button', { name: 'Actions for Autumn' })).toBeVisible()
  })

  // covers CAM-LIST-28..30 CAM-LIST-33..35 CAM-LIST-39..41 CAM-LIST-67
  it('shows status, figures with what they cost, and the money of today', async () => {
    withRows(listRowWith())
    await open()
    const row = rowOf('Autumn')
    expect(within(row).getByRole('link', { name: 'Autumn' })).toBeVisible()
    expect(within(row).getByText('Running')).toBeVisible()
    expect(row.querySelector('[data-slot=status-dot]')).toHaveClass('bg-success-dot')
    for (const text of ['12,345', 'CPM $2.07', '67', 'CPC $0.38', 'CTR 0.54%', '$25.50', '$4.50 today', '$20.00 a day'])
      expect(within(row).getByText(text)).toBeVisible()
  })

  // covers CONST-13
  it.each([
    [3, '2026-01-10T00:00:00.000Z', /Since Jan 10, 2026/], // covers CAM-LIST-31
    [40, '2099-03-01T00:00:00.000Z', /Starts Mar 01, 2099/], // covers CAM-LIST-32
  ])('adds the start to status %i', async (status_key, campaign_start_at, text) => {
    withRows(listRowWith({ status_key, campaign_start_at }))
    await open()
    expect(within(rowOf('Autumn')).getByText(text)).toBeVisible()
  })

  // covers CAM-LIST-36..37 CAM-LIST-69
  it('counts conversions where the goal is one, or where some were reported', async () => {
    withRows(
      listRowWith({ id: 'campaign-1', name: 'Shop', goal: 'WEB_STANDARD_CONVERSION', type: 'conversion' }),
      listRowWith({ id: 'campaign-2', name: 'Fame', goal: 'MAXIMIZED_REACH', conversions: 0 }),
      listRowWith({ id: 'campaign-3', name: 'Walk', goal: 'MAXIMIZED_REACH' }),
    )
    await open()
    expect(within(rowOf('Walk')).getByText('8')).toBeVisible()
    expect(within(rowOf('Shop')).getByText('8')).toBeVisible()
    for (const text of ['CPA $3.19', 'CVR 11.94%']) expect(within(rowOf('Shop')).getByText(text)).toBeVisible()
    expect(within(rowOf('Fame')).queryByText(/CPA|CVR/)).toBeNull()
  })

  it('shows conversions that are not confirmed beside the others', async () => {
    withRows(
      listRowWith({ id: 'campaign-1', name: 'Shop', unconfirmed_conversions: 1200 }),
      listRowWith({ id: 'campaign-2', name: 'Fame', goal: 'MAXIMIZED_REACH', conversions: 0, unconfirmed_conversions: 3 }),
    )
    await open()
    expect(within(rowOf('Shop')).getByText('8')).toBeVisible()
    expect(within(rowOf('Shop')).getByText('+1,200 unconfirmed')).toBeVisible()
    expect(within(rowOf('Fame')).getByText('+3 unconfirmed')).toBeVisible()
  })

  it.each([
    ['APP_INSTALLS', true], // covers CONST-14
    ['WEB_STANDARD_CONVERSION', true], // covers CONST-15
    ['WEBSITE_CUSTOM_EVENT', true], // covers CONST-16
    ['APP_CUSTOM_EVENT', true], // covers CONST-17
    ['MAXIMIZED_REACH', false],
  ])('shows CPA and CVR of a campaign without conversions for the goal %s: %s', async (goal, isCounted) => {
    withRows(listRowWith({ goal, conversions: 0, cpa: 0, cvr: 0 }))
    await open()
    const found = within(rowOf('Autumn')).queryAllByText(/^(CPA|CVR) /)
    expect(found).toHaveLength(isCounted ? 2 : 0)
  })

  // covers CAM-LIST-68
  it('warns of a creative that was disapproved', async () => {
    withRows(listRowWith({ creative_status: 'disapproved' }), listRowWith({ id: 'campaign-2', name: 'Fine' }))
    await open()
    expect(within(rowOf('Autumn')).getByText('A creative was disapproved')).toBeInTheDocument()
    expect(within(rowOf('Fine')).queryByText('A creative was disapproved')).toBeNull()
  })

  // covers CAM-LIST-43 CAM-LIST-44 CAM-ROUTE-06 CAM-ROUTE-07
  it('opens a campaign from its row, but none whose id has five characters or fewer', async () => {
    withRows(listRowWith({ id: '12345', name: 'Short' }), listRowWith({ id: '123456', name: 'Long' }))
    server.on(getCampaign, () => campaignWith({ id: '123456', name: 'Long' }))
    const { address } = await open()
    await userEvent.click(within(rowOf('Short')).getByText('$25.50'))
    expect(address()).toBe('/campaigns')
    await userEvent.click(within(rowOf('Long')).getByText('$25.50'))
    expect(await screen.findByRole('heading', { name: 'Long' })).toBeVisible()
    expect(address()).toBe('/campaign/edit/123456?tab=basicInfo')
  })

  // covers CAM-LIST-25
  it('says that there are no campaigns', async () => {
    renderRoute('/campaigns')
    expect(await screen.findByText('No campaigns found')).toBeVisible()
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('says so too when nothing matches, and clears the filters', async () => {
    server.on(listCampaigns, ({ body }) => {
      const { name } = body as { readonly name: string }
      return pageOf(name === '' ? [listRowWith()] : [])
    })
    const { address } = renderRoute('/campaigns?q=winter')
    expect(await screen.findByText('No campaigns found')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(await screen.findByRole('link', { name: 'Autumn' })).toBeVisible()
    expect(address()).toBe('/campaigns')
  })

  it('says why the campaigns could not be loaded, with the code, and tries again', async () => {
    server.on(listCampaigns, () => refusal(403, 403))
    renderRoute('/campaigns')
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('The campaigns could not be loaded')
    expect(alert).toHaveTextContent('(code 403)')
    withRows(listRowWith())
    await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('link', { name: 'Autumn' })).toBeVisible()
  })
})

describe('the filters of the list', () => {
  // covers CAM-LIST-08 CAM-LIST-24
  it('searches by name once, 200 ms after the last letter', async () => {
    withRows(listRowWith())
    const { address } = await open()
    const before = server.calls(listCampaigns).length
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      for (const typed of ['a', 'au', 'aut'])
        fireEvent.change(screen.getByRole('searchbox', { name: 'Search by name' }), { target: { value: typed } })
      await act(() => vi.advanceTimersByTimeAsync(199))
      expect(address()).toBe('/campaigns')
      await act(() => vi.advanceTimersByTimeAsync(1))
      expect(address()).toBe('/campaigns?q=aut')
    } finally {
      vi.useRealTimers()
    }
    await waitFor(() => expect(lastList()).toMatchObject({ name: 'aut', page: 0 }))
    expect(server.calls(listCampaigns)).toHaveLength(before + 1)
  })

  it('keeps every letter that is typed while the address still follows the letters before', async () => {
    const wanted: string[] = []
    const client = new QueryClient()
    const toolbar = (q: string) => (
      <QueryClientProvider client={client}>
        <CampaignListToolbar
          scope="account"
          views={null}
          search={{ ...LIST_DEFAULTS, q, start: undefined, end: undefined, sort: undefined }}
          onSearch={(patch) => wanted.push(patch.q ?? '')}
        />
      </QueryClientProvider>
    )
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { rerender } = render(toolbar(''))
    const box = screen.getByRole('searchbox', { name: 'Search by name' })
    const type = async (text: string, wait: number) => {
      fireEvent.change(box, { target: { value: text } })
      await act(() => vi.advanceTimersByTimeAsync(wait))
    }
    await type('a', 200)
    await type('au', 200)
    await type('aut', 100)
    expect(wanted).toEqual(['a', 'au'])
    for (const q of ['a', 'au']) {
      rerender(toolbar(q))
      expect(box).toHaveValue('aut')
    }
    await act(() => vi.advanceTimersByTimeAsync(100))
    expect(wanted).toEqual(['a', 'au', 'aut'])
    // Back leads to what this field never wrote there: it follows, and nothing typed before comes back.
    rerender(toolbar('aut'))
    await type('autu', 100)
    rerender(toolbar('winter'))
    expect(box).toHaveValue('winter')
    await act(() => vi.advanceTimersByTimeAsync(500))
    expect(wanted).toEqual(['a', 'au', 'aut'])
  })

  // covers CAM-LIST-09
  it('filters by status', async () => {
    withRows(listRowWith())
    const { address } = await open()
    await userEvent.click(screen.getByRole('button', { name: 'Status: All statuses' }))
    await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Paused' }))
    await waitFor(() => expect(lastList()).toMatchObject({ status_filter: 41, page: 0 }))
    expect(address()).toBe('/campaigns?status=41')
  })

  it('filters by several statuses with the keyboard, in a menu that stays open', async () => {
    withRows(listRowWith())
    const { address } = await open('/campaigns?status=41')
    screen.getByRole('button', { name: 'Status: Paused' }).focus()
    await userEvent.keyboard('{ArrowDown}')
    const draft = await screen.findByRole('menuitemcheckbox', { name: 'Draft' })
    // The menu was loaded after its first key.
    if (document.activeElement !== draft) await userEvent.keyboard('{ArrowDown}')
    await waitFor(() => expect(draft).toHaveFocus())
    await userEvent.keyboard(' ')
    await waitFor(() => expect(lastList()).toMatchObject({ status_filter: [0, 41] }))
    expect(draft).toBeChecked()
    expect(draft).toHaveFocus()
    expect(address()).toBe('/campaigns?status=0%2C41')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Status: 2 statuses' })).toHaveFocus())
    await userEvent.keyboard('{ArrowDown}')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'All statuses' }))
    await waitFor(() => expect(lastList()).toMatchObject({ status_filter: 50 }))
    expect(address()).toBe('/campaigns')
  })

  it('filters the list of all accounts by several of them, each a chip that can be removed', async () => {
    server = signedInServer({ role: 'WL_MODERATOR' })
    server.on(adminListCampaigns, () => pageOf([listRowWith()]))
    const accounts = [
      { space_id: 'space-1', space_name: 'Nile Retail' },
      { space_id: 'space-2', space_name: 'Lagos Motors' },
    ]
    server.on(adminListAccounts, ({ body }) => {
      const { name = '', space_ids: ids } = body as { readonly name?: string; readonly space_ids?: readonly string[] }
      return accounts.filter((one) => ids?.includes(one.space_id) ?? one.space_name.toLowerCase().includes(name.toLowerCase()))
    })
    const { address } = await open('/admin/campaigns?accounts=space-1')
    const lastAsked = () => server.calls(adminListCampaigns).at(-1)?.body
    expect(lastAsked()).toMatchObject({ space_id: null, space_ids: ['space-1'] })
    const chips = () => within(screen.getByRole('list', { name: 'Chosen accounts' }))
    expect(await chips().findByText('Nile Retail')).toBeVisible()
    await userEvent.type(screen.getByRole('combobox', { name: 'Filter by account' }), 'lagos')
    await userEvent.click(await screen.findByRole('option', { name: 'Lagos Motors' }))
    await waitFor(() => expect(lastAsked()).toMatchObject({ space_ids: ['space-1', 'space-2'], page: 0 }))
    expect(address()).toBe('/admin/campaigns?accounts=space-1%2Cspace-2')
    await userEvent.click(chips().getByRole('button', { name: 'Remove Nile Retail' }))
    await waitFor(() => expect(lastAsked()).toMatchObject({ space_ids: ['space-2'] }))
    await userEvent.click(chips().getByRole('button', { name: 'Remove Lagos Motors' }))
    await waitFor(() => expect(lastAsked()).not.toHaveProperty('space_ids'))
    expect(address()).toBe('/admin/campaigns')
    expect(screen.queryByRole('list', { name: 'Chosen accounts' })).toBeNull()
  })

  // covers CAM-LIST-21..23
  it('keeps page and rows per page in the address', async () => {
    server.on(listCampaigns, () => pageOf([listRowWith()], 80))
    const { address } = await open('/campaigns?page=2')
    expect(lastList()).toMatchObject({ page: 2, pageSize: 10 })
    await userEvent.click(screen.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(lastList()).toMatchObject({ page: 3 }))
    expect(address()).toBe('/campaigns?page=3')
    const rows = screen.getByRole('combobox', { name: 'Rows per page' })
    expect(
      within(rows)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['5', '10', '15', '25'])
    await userEvent.selectOptions(rows, '25')
    await waitFor(() => expect(lastList()).toMatchObject({ page: 0, pageSize: 25 }))
    expect(address()).toBe('/campaigns?rows=25')
  })

  it('leads from a page beyond the end to the last one there is', async () => {
    server.on(listCampaigns, ({ body }) => {
      const { page } = body as { readonly page: number }
      return pageOf(page > 2 ? [] : [listRowWith()], 21)
    })
    const { address } = renderRoute('/campaigns?page=99')
    expect(await screen.findByRole('link', { name: 'Autumn' })).toBeVisible()
    expect(address()).toBe('/campaigns?page=2')
    expect(screen.queryByText('No campaigns found')).toBeNull()
  })

  // covers CAM-LIST-27
  it('exports what the list shows as CSV', async () => {
    withRows(listRowWith())
    server.on(accountReport, () => new Blob(['Name']))
    URL.createObjectURL = () => 'blob:'
    URL.revokeObjectURL = () => {}
    await open('/campaigns?q=aut&status=3')
    await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(server.calls(accountReport)).toHaveLength(1))
    expect(server.calls(accountReport)[0]?.body).toMatchObject({ name: 'aut', status_filter: 3, space_id: 'space-1' })
  })
})

describe('the menu of a row in the list', () => {
  const choose = async (name: string) => {
    await userEvent.click(screen.getByRole('button', { name: 'Actions for Autumn' }))
    await userEvent.click(await screen.findByRole('menuitem', { name }))
  }

  it.each([
    [41, 'Run', runCampaign], // covers CAM-LIST-45 CAM-LIST-51
    [44, 'Run', runCampaign], // covers CAM-LIST-45
    [40, 'Run', runCampaign], // covers CAM-LIST-45
    [5, 'Run', runCampaign], // covers CAM-LIST-45
    [3, 'Pause', pauseCampaign], // covers CAM-LIST-46 CAM-LIST-52
    [31, 'Pause', pauseCampaign], // covers CAM-LIST-46
  ] as const)('status %i offers %s, and the list is read again', async (status_key, action, endpoint) => {
    withRows(listRowWith({ status_key }))
    server.on(endpoint, () => outcome('campaign-1', 41))
    await open()
    const before = server.calls(listCampaigns).length
    await choose(action)
    await waitFor(() => expect(server.calls(listCampaigns).length).toBeGreaterThan(before))
    expect(server.calls(endpoint)[0]?.body).toBe('campaign-1')
  })

  // covers CAM-LIST-47 CAM-LIST-49 CAM-LIST-50
  it('replicates any campaign, and archives those that are not archived', async () => {
    withRows(listRowWith({ status_key: 5 }))
    server.on(toggleArchive, () => outcome('campaign-1', 5))
    await open()
    await userEvent.click(screen.getByRole('button', { name: 'Actions for Autumn' }))
    expect(await screen.findByRole('menuitem', { name: 'Replicate' })).toBeVisible()
    expect(screen.queryByRole('menuitem', { name: 'Archive' })).toBeNull()
    await userEvent.keyboard('{Escape}')
    withRows(listRowWith({ status_key: 41, name: 'Winter' }))
    await userEvent.click(screen.getByRole('button', { name: 'Name' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Winter' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Archive' }))
    await waitFor(() => expect(server.calls(toggleArchive)).toHaveLength(1))
  })

  // covers CAM-LIST-48
  it('leads to the report of the campaign', async () => {
    withRows(listRowWith())
    server.on(getCampaign, () => campaignWith({ id: 'campaign-1', name: 'Autumn' }))
    server.on(campaignReport, () => ({ points: [], totals: {}, ...READ_AT }))
    const { address } = await open()
    await choose('View report')
    expect(await screen.findByRole('heading', { name: 'Report' })).toBeVisible()
    expect(address()).toBe('/reports?campaignId=campaign-1')
  })

  // covers CAM-LIST-53
  it('asks an owner for the account that the copy goes to', async () => {
    server = signedInServer({ role: 'WL_OWNER' })
    withRows(listRowWith())
    server.on(listAccounts, () => ({
      ...pageOf([
        accountWith({ space_id: 'space-1', space_name: 'Nile Retail' }),
        accountWith({ space_id: 'space-2', space_name: 'Lagos Motors' }),
      ]),
    }))
    server.on(createCampaign, () => refusal(111, 409))
    await open()
    await choose('Replicate')
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(await within(dialog).findByRole('radio', { name: /Lagos Motors/ }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Replicate' }))
    await waitFor(() =>
      expect(server.calls(createCampaign)[0]?.body).toEqual({ replicated_from: 'campaign-1', space_id: 'space-2' }),
    )
  })

  it('offers those who may only read nothing but the report', async () => {
    server = signedInServer({ role: 'AUDITOR' })
    withRows(listRowWith())
    await open()
    await userEvent.click(screen.getByRole('button', { name: 'Actions for Autumn' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual(['View report'])
    expect(screen.queryByRole('button', { name: 'New campaign' })).toBeNull()
  })
})

describe('the performance of a campaign at a glance', () => {
  const card = async (row: Partial<ListRow>) => {
    withRows(listRowWith(row))
    server.on(campaignTotal, () => ({
      current_period_clicks: 1234,
      current_period_impressions: 61_700,
      current_period_spent: 98.5,
      ...READ_AT,
      currency: 'USD',
    }))
    await open()
    await userEvent.click(screen.getByRole('button', { name: 'Performance of Autumn' }))
    const dialog = await screen.findByRole('dialog', { name: 'Autumn' })
    await within(dialog).findByText('1,234')
    return dialog
  }

  // covers CAM-LIST-54..57 CAM-LIST-62
  it('shows all-time clicks, impressions and spend, since when it runs, and leads to its report', async () => {
    const dialog = await card({ status_key: 3 })
    const figures = within(dialog)
      .getAllByRole('term')
      .map((term) => `${term.textContent} ${term.nextSibling?.textContent}`)
    expect(figures).toEqual(['Clicks 1,234', 'CTR 2.00%', 'Impressions 61,700', 'Spend $98.50'])
    expect(within(dialog).getByText(/Since Jan 10, 2026/)).toBeVisible()
    expect(within(dialog).getByRole('link', { name: 'View report' })).toHaveAttribute('href', '/reports?campaignId=campaign-1')
  })

  it('draws the impressions of the last seven days, but not in moderation', async () => {
    const points = [1, 5, 3].map((impressions, index) => ({ name: index * 86_400_000, values: { impressions } }))
    server.on(campaignReport, () => ({ points, totals: { impressions: 9 }, ...READ_AT }))
    const dialog = await card({ status_key: 3 })
    expect(await within(dialog).findByRole('img', { name: 'Impressions of the last 7 days: 1, 5, 3' })).toBeVisible()
    expect(server.calls(campaignReport)).toHaveLength(1)
  })

  it('says why a campaign does not deliver, since when, and what ends it', async () => {
    const since = '2026-11-01T10:00:00.000Z'
    const reached = {
      key: 'day_budget_reached',
      status_key: 31,
      since,
      revision: 4,
      cause: 'DayBudgetReached',
      actor: 'Platform',
    }
    const dialog = await card({ status_key: 31, status_reasons: [{ ...reached, remedy: 'raise_budget_or_wait' }] })
    expect(within(dialog).getByRole('listitem')).toHaveTextContent(
      /^Today's budget is spent, since Nov 01, 2026 \d\d:00\. Raise the daily budget or wait until midnight\.$/,
    )
  })

  // covers CAM-LIST-63
  it('says when a waiting campaign starts', async () => {
    const dialog = await card({ status_key: 40, campaign_start_at: '2099-03-01T00:00:00.000Z' })
    expect(within(dialog).getByText(/Starts Mar 01, 2099/)).toBeVisible()
  })

  // covers CAM-LIST-64..66
  it('hides all but the clicks while a moderator is at it', async () => {
    const dialog = await card({ status_key: 1 })
    expect(
      within(dialog)
        .getAllByRole('term')
        .map(({ textContent }) => textContent),
    ).toEqual(['Clicks'])
    expect(server.calls(campaignReport)).toHaveLength(0)
  })

  it.each([
    [2, 'bg-destructive-dot'], // covers CAM-LIST-58
    [3, 'bg-success-dot'], // covers CAM-LIST-59
    [1, 'bg-warning-dot'], // covers CAM-LIST-60
    [0, 'bg-idle-dot'], // covers CAM-LIST-61
    [41, 'bg-idle-dot'], // covers CAM-LIST-61
    [42, 'bg-idle-dot'], // covers CAM-LIST-61
    [5, 'bg-idle-dot'], // covers CAM-LIST-61
  ])('status %i has its colour', async (status_key, color) => {
    const dialog = await card({ status_key })
    expect(dialog.querySelector('[data-slot=status-dot]')).toHaveClass(color)
  })
})

describe('the list of all accounts', () => {
  // covers CAM-ROUTE-09
  it('shows the campaigns of every account to the owner, with their names', async () => {
    server = signedInServer({ role: 'WL_OWNER' })
    server.on(adminListCampaigns, () => pageOf([listRowWith({ space_name: 'Lagos Motors' })]))
    await open('/admin/campaigns')
    expect(within(rowOf('Autumn')).getByText('Lagos Motors')).toBeVisible()
    expect(server.calls(listCampaigns)).toHaveLength(0)
  })

  it('sends everybody else to their own', async () => {
    const error = vi.spyOn(toast, 'error')
    withRows(listRowWith())
    const { address } = await open('/admin/campaigns')
    expect(address()).toBe('/campaigns')
    expect(error).not.toHaveBeenCalled()
  })
})

describe('the focus', () => {
  const three = ['one', 'two', 'three'].map((name) => listRowWith({ id: `campaign-${name}`, name }))
  let rows: ListRow[]
  beforeEach(() => {
    rows = [...three]
    server.on(listCampaigns, () => pageOf(rows))
    server.on(toggleArchive, ({ body }) => {
      rows = rows.filter(({ id }) => id !== body)
      return outcome(String(body), 5)
    })
  })
  const archive = async (name: string) => {
    await userEvent.click(screen.getByRole('button', { name: `Actions for ${name}` }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Archive' }))
    await waitFor(() => expect(screen.queryByRole('row', { name: new RegExp(`\\b${name}\\b`) })).toBeNull())
  }
  const hasFocus = (name: string) => waitFor(() => expect(screen.getByRole('button', { name })).toHaveFocus())

  it('goes on to the row that takes the place of an archived one, to the one before at the end, and to the heading from the last', async () => {
    await open('/campaigns?status=3')
    await archive('two')
    await hasFocus('Actions for three')
    await archive('three')
    await hasFocus('Actions for one')
    await archive('one')
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Campaigns' })).toHaveFocus())
  })

  it('goes to the heading once an action for many is done and its bar is gone', async () => {
    await open('/campaigns?status=3')
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select one' }))
    await userEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Archive' }))
    await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull())
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Campaigns' })).toHaveFocus())
  })

  it('the focus is not taken back by the list once the reader has left it', async () => {
    const { queryClient } = await open('/campaigns?status=3')
    const button = screen.getByRole('button', { name: 'Actions for two' })
    act(() => button.focus())
    act(() => button.blur())
    rows = rows.slice(0, 1)
    await queryClient.invalidateQueries()
    await waitFor(() => expect(screen.queryByRole('row', { name: /two/ })).toBeNull())
    expect(document.body).toHaveFocus()
  })
})

describe('today', () => {
  it('today is the same day in the date range and in the request, over midnight too', async () => {
    vi.useFakeTimers({ now: new Date(2026, 2, 10, 23, 59, 50), shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    withRows(listRowWith())
    await open()
    const range = () => screen.getByRole('button', { name: /^Date range/ }).getAttribute('aria-label')
    expect(range()).toBe('Date range: Last 7 days Mar 04 – Mar 10')
    expect(lastList()).toMatchObject({ from_date: '2026-03-04', to_date: '2026-03-10' })
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(range()).toBe('Date range: Last 7 days Mar 05 – Mar 11')
    await waitFor(() => expect(lastList()).toMatchObject({ from_date: '2026-03-05', to_date: '2026-03-11' }))
  })
})
