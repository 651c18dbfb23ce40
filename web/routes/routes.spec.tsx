import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCampaign, getCampaign } from '#contract/campaign'
import { moderationQueue } from '#contract/moderation'
import { reportTable } from '#contract/report-tables'
import { campaignReport, campaignTotal } from '#contract/reports'
import { getUser } from '#contract/session'
import { campaignWith } from '@/test/campaign-form'
import { waiting } from '@/test/queue-fixture'
import { chooseLanguage } from '@/i18n/setup'
import { toast } from '@/lib/toast'
import { fakeServer, pageOf, PERSON, refusal, signedInServer, READ_AT } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { turns } from '@/test/time'

const GUARDED = [
  '/campaigns',
  '/campaign/create',
  '/campaign/edit/campaign-1',
  '/reports?campaignId=campaign-1',
  '/admin/campaigns',
  '/admin/moderation',
  '/moderation',
  '/events',
  '/reports',
  '/inbox',
  '/notifications',
  '/invitations',
  '/not-found',
  '/admin/customization',
  '/admin/payments',
  '/payments/history',
]

describe('a visitor without a session', () => {
  // covers CAM-ROUTE-01 ROUTE-17
  it.each(GUARDED)('a visitor without a session is asked to sign in at %s', async (address) => {
    fakeServer()
    const page = renderRoute(address)
    await waitFor(() => expect(page.history.location.pathname).toBe('/auth/login'))
    expect(await screen.findByLabelText('Password')).toBeVisible()
  })
})

describe('a user on a new device', () => {
  it('sees the application in the language of the profile, until another one is chosen there', async () => {
    onTestFinished(async () => {
      await chooseLanguage('en')
      localStorage.removeItem('DSP_LANGUAGE')
    })
    localStorage.removeItem('DSP_LANGUAGE')
    const server = signedInServer()
    server.on(getUser, () => ({ ...PERSON, language_key: 2 }))
    renderRoute('/campaigns')
    expect(await screen.findByRole('heading', { name: 'Кампании' })).toBeVisible()
  })
})

describe('an address', () => {
  // covers CAM-ROUTE-13 FP-74
  it('an address that does not exist leads to the list of campaigns', async () => {
    signedInServer()
    const { address } = renderRoute('/nowhere/at/all')
    expect(await screen.findByRole('heading', { name: 'Campaigns' })).toBeVisible()
    expect(address()).toBe('/campaigns')
  })

  // covers ROUTE-18
  it('an address of the not-found page says so', async () => {
    signedInServer()
    const { address } = renderRoute('/not-found')
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
    expect(address()).toBe('/not-found')
  })

  it.each(['/events', '/reports'])('an address without an entry for the role leads accountants away: %s', async (wanted) => {
    signedInServer({ role: 'ACCOUNTANT' })
    const { address } = renderRoute(wanted)
    await waitFor(() => expect(address()).toBe('/payments/history'))
  })

  it.each(['/admin/campaigns', '/admin/moderation', '/moderation'])(
    'an address of the owner leads advertisers to the list: %s',
    async (wanted) => {
      signedInServer()
      const { address } = renderRoute(wanted)
      expect(await screen.findByRole('heading', { name: 'Campaigns' })).toBeVisible()
      expect(address()).toBe('/campaigns')
    },
  )

  // covers CAM-ROUTE-10
  it('an address of moderation in the admin section shows the queue to owners', async () => {
    const server = signedInServer({ role: 'WL_OWNER' })
    const { row, campaign } = waiting('one', { name: 'Luxor' })
    server.on(moderationQueue, () => pageOf([row]))
    server.on(getCampaign, () => campaign)
    const { address } = renderRoute('/admin/moderation')
    expect(await screen.findByRole('heading', { name: 'Moderation' })).toBeVisible()
    expect((await screen.findAllByText('Luxor'))[0]).toBeVisible()
    expect(address()).toMatch(/^\/moderation/)
  })

  // covers CAM-ROUTE-07
  it('an address of a campaign opens the section that it names', async () => {
    const server = signedInServer()
    server.on(getCampaign, () => campaignWith({ id: 'campaign-1', name: 'Autumn' }))
    renderRoute('/campaign/edit/campaign-1?tab=targeting')
    const sections = await screen.findByRole('navigation', { name: 'Form sections' })
    expect(within(sections).getByRole('link', { name: 'Targeting' })).toHaveAttribute('aria-current', 'page')
  })

  it('an address of a campaign that cannot be read leads to the list', async () => {
    signedInServer()
    const { address } = renderRoute('/campaign/edit/campaign-9')
    await waitFor(() => expect(address()).toBe('/campaigns'))
  })
})

describe('a page with only a message', () => {
  const STRUCTURE = ['page-has-heading-one', 'landmark-one-main', 'region']

  it('a page with only a message has the message as heading while the user loads', async () => {
    signedInServer().on(getUser, () => new Promise(() => {}))
    renderRoute('/campaigns')
    expect(await screen.findByRole('heading', { level: 1, name: 'Loading' })).toBeVisible()
    expect((await axe.run({ runOnly: STRUCTURE })).violations).toEqual([])
  })

  it('a page with only a message has the message as heading when the user could not be loaded', async () => {
    signedInServer().on(getUser, () => refusal(1, 500))
    renderRoute('/campaigns')
    expect(await screen.findByRole('heading', { level: 1, name: 'Something went wrong!' })).toBeVisible()
    expect((await axe.run({ runOnly: STRUCTURE })).violations).toEqual([])
  })
})

describe('the start of each role', () => {
  const HOMES = [
    ['USER_OWNER', '/campaigns'],
    ['ACCOUNTANT', '/payments/history'],
    ['WHITELABEL_ACCOUNTANT', '/admin/payments'],
    ['WL_MODERATOR', '/moderation'],
    ['WL_OWNER', '/overview'],
    ['AUDITOR', '/audit'],
    ['SYSTEM_ADMIN', '/admin/customization'],
  ] as const

  it.each(HOMES)('leads %s from the first page to %s, and so does the logo', async (role, home) => {
    signedInServer({ role })
    const { address } = renderRoute('/')
    await waitFor(() => expect(address()).toBe(home))
    expect(await screen.findByRole('link', { name: /Go to the start page/ })).toHaveAttribute('href', '/')
  })

  // covers FP-74
  it.each(HOMES.filter(([role]) => role.includes('ACCOUNTANT')))(
    'leads %s there from addresses that nobody knows, and from the list of campaigns',
    async (role, home) => {
      for (const wanted of ['/nowhere', '/campaigns', '/moderation', '/reports']) {
        signedInServer({ role })
        const { address } = renderRoute(wanted)
        await waitFor(() => expect([wanted, address()]).toEqual([wanted, home]))
        cleanup()
      }
    },
  )
})

describe('a copy of a campaign', () => {
  // covers CAM-ROUTE-04
  it('starts with all values but the start date, and is stored only by saving it', async () => {
    const server = signedInServer()
    server.on(getCampaign, () =>
      campaignWith({
        id: 'campaign-1',
        name: 'Autumn',
        country: 'NGA',
        budget: 35,
        bidding_strategy: { ...campaignWith({}).bidding_strategy, type: 'awareness', goal: 'MAXIMIZED_REACH' },
        product_url: 'https://nile.example',
        campaign_start_at: '2026-01-10T00:00:00.000Z',
      }),
    )
    server.on(createCampaign, () => refusal(2, 422))
    renderRoute('/campaign/create?replicatedId=campaign-1')
    expect(await screen.findByLabelText(/Campaign name/)).toHaveValue('Autumn - Copy')
    expect(await screen.findByLabelText(/Daily budget/)).toHaveValue('35')
    expect(screen.getByLabelText('Start date')).toHaveValue('')
    expect(server.calls(createCampaign)).toHaveLength(0)
    await userEvent.click(await screen.findByRole('button', { name: 'Save & Next' }))
    await waitFor(() => expect(server.calls(createCampaign)).toHaveLength(1))
    expect(server.calls(createCampaign)[0]?.body).toMatchObject({
      replicated_from: 'campaign-1',
      name: 'Autumn - Copy',
      product_url: 'https://nile.example',
      campaign_start_at: null,
    })
    expect(server.calls(createCampaign)[0]?.body).not.toHaveProperty('id')
  })
})

describe('a campaign report', () => {
  it.each([
    ['', 'No data found for your time period or search criteria.'], // covers CAM-ERR-12
    ['&start=2026-11-01&end=2026-11-02', 'No data available for your selected filter parameters. Please try different settings.'], // covers CAM-ERR-13
  ])('shows a message when there are no figures: %s', async (range, text) => {
    const server = signedInServer()
    server.on(getCampaign, () => campaignWith({ name: 'Autumn' }))
    server.on(campaignReport, () => ({
      points: [{ name: 0, values: { impressions: 0 } }],
      totals: { impressions: 0, spent: 0 },
      ...READ_AT,
    }))
    renderRoute(`/reports?campaignId=campaign-1${range}`)
    expect(await screen.findByText(text)).toBeVisible()
    expect(screen.queryByRole('table')).toBeNull()
  })

  // covers CAM-ERR-08
  it.each(['/reports?campaignId=unknown', '/campaign/create?replicatedId=unknown'])(
    'a campaign report of an unknown campaign, or its copy, leads to the list with a message: %s',
    async (wanted) => {
      const error = vi.spyOn(toast, 'error')
      const server = signedInServer()
      server.on(getCampaign, () => refusal(130, 404))
      const { address } = renderRoute(wanted)
      await waitFor(() => expect(address()).toBe('/campaigns'))
      expect(error.mock.calls).toEqual([['Campaign not found']])
      error.mockRestore()
    },
  )

  const totalIn = (currency: string) => () => ({
    current_period_clicks: 0,
    current_period_impressions: 0,
    current_period_spent: 0,
    ...READ_AT,
    currency,
  })

  it('shows no money until the currency of the account is known', async () => {
    const server = signedInServer()
    let answer = () => {}
    const total = new Promise<ReturnType<ReturnType<typeof totalIn>>>((resolve) => {
      answer = () => resolve(totalIn('NGN')())
    })
    server.on(getCampaign, () => campaignWith({ id: 'campaign-1', name: 'Jollof' }))
    server.on(campaignTotal, () => total)
    server.on(campaignReport, () => ({
      points: [{ name: day('2026-11-01'), values: { impressions: 100, spent: 250 } }],
      totals: { impressions: 100, spent: 250 },
      ...READ_AT,
    }))
    renderRoute('/reports?campaignId=campaign-1&start=2026-11-01&end=2026-11-02')
    await waitFor(() => expect(server.calls(campaignReport)).toHaveLength(1))
    await turns()
    expect(screen.queryByText(/250/)).toBeNull()
    answer()
    expect((await screen.findAllByText('₦250.00'))[0]).toBeVisible()
    expect(screen.queryByText(/\$/)).toBeNull()
  })

  const day = (date: string) => Date.parse(`${date}T00:00:00.000Z`)

  // covers CAM-ROUTE-08
  it('shows the figures of each day of the range, newest first, and their total', async () => {
    const server = signedInServer()
    server.on(getCampaign, () => campaignWith({ id: 'campaign-1', name: 'Autumn' }))
    server.on(campaignReport, () => ({
      points: [
        { name: day('2026-11-01'), values: { impressions: 100, clicks: 1, ctr: 1, cpm: 2, cpc: 0.2, spent: 0.2 } },
        { name: day('2026-11-02'), values: { impressions: 300, clicks: 6, ctr: 2, cpm: 2, cpc: 0.1, spent: 0.6 } },
      ],
      totals: { impressions: 400, clicks: 7, ctr: 1.75, cpm: 2, cpc: 0.11, spent: 0.8 },
      ...READ_AT,
    }))
    server.on(campaignTotal, totalIn('USD'))
    const row = (key: string, values: Readonly<Record<string, number>>) => ({ key, label: key, detail: null, url: null, values })
    server.on(reportTable, () => ({
      rows: [
        row('2026-11-02', {
          impressions: 300,
          clicks: 6,
          ctr: 2,
          cpm: 2,
          cpc: 0.1,
          spent: 0.6,
          conversions: 3,
          cpa: 0.2,
          cvr: 50,
        }),
        row('2026-11-01', { impressions: 100, clicks: 1, ctr: 1, cpm: 2, cpc: 0.2, spent: 0.2 }),
      ],
      totals: { impressions: 400, clicks: 7, ctr: 1.75, cpm: 2, cpc: 0.11, spent: 0.8, conversions: 3, cpa: 0.27, cvr: 42.86 },
      current_page: 0,
      page_size: 25,
      total_size: 2,
      left_out: 0,
      currency: 'USD',
      time_zone: 'UTC',
      ...READ_AT,
    }))
    renderRoute('/reports?campaignId=campaign-1&start=2026-11-01&end=2026-11-02')
    const table = await screen.findByRole('table', { name: 'Figures by day', busy: false })
    const rows = within(table)
      .getAllByRole('row')
      .map((row) => [...row.children].map(({ textContent }) => textContent).join(' | '))
    expect(rows).toEqual([
      'Day (UTC) | Impressions | CPM | Clicks | CPC | CTR | Conversions | CPA | CVR | Spend',
      'All days | 400 | $2.00 | 7 | $0.11 | 1.75% | 3 | $0.27 | 42.86% | $0.80',
      'Nov 02, 2026 | 300 | $2.00 | 6 | $0.10 | 2.00% | 3 | $0.20 | 50.00% | $0.60',
      'Nov 01, 2026 | 100 | $2.00 | 1 | $0.20 | 1.00% | 0 | $0.00 | 0.00% | $0.20',
    ])
    expect(server.calls(campaignReport)[0]?.body).toMatchObject({ from_date: '2026-11-01', to_date: '2026-11-02' })
    expect(screen.getByRole('link', { name: 'Autumn' })).toHaveAttribute('href', '/campaign/edit/campaign-1?tab=basicInfo')
  })
})
