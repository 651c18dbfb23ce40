import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { getCampaign } from '#contract/campaign'
import { reportsChanges } from '#contract/account-reports'
import { reportTable, reportTableFile } from '#contract/report-tables'
import { campaignReport, campaignTotal, overDelivery, trafficSourceCsv } from '#contract/reports'
import { chooseLanguage } from '@/i18n/setup'
import * as files from '@/lib/save-file'
import { FIGURES_MS } from '@/data/figures'
import { campaignWith } from '@/test/campaign-form'
import { refusal, signedInServer, READ_AT, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const dayOf = (date: string) => Date.parse(`${date}T00:00:00.000Z`)
const POINTS = [
  { name: dayOf('2026-11-01'), values: { impressions: 100, clicks: 1, ctr: 1, cpm: 2, cpc: 0.2, spent: 0.2, conversions: 4 } },
  { name: dayOf('2026-11-02'), values: { impressions: 300, clicks: 6, ctr: 2, cpm: 2, cpc: 0.1, spent: 0.6, conversions: 5 } },
]
const TOTALS = {
  impressions: 400,
  clicks: 7,
  ctr: 1.75,
  cpm: 2,
  cpc: 0.11,
  spent: 0.8,
  conversions: 9,
  unconfirmed_conversions: 3,
}

/** Opens the report of two days. */
function open(more = '', server = signedInServer()) {
  const bidding_strategy = { ...campaignWith({}).bidding_strategy, goal: 'MAXIMIZED_REACH' as const }
  server.on(getCampaign, () => campaignWith({ id: 'campaign-1', name: 'Autumn', bidding_strategy }))
  server.on(campaignReport, () => ({ points: POINTS, totals: TOTALS, ...READ_AT }))
  server.on(overDelivery, () => ({ impressions: 0, amount: 0, currency: 'USD', ...READ_AT }))
  server.on(reportTable, () => ({
    rows: POINTS.toReversed().map(({ name, values }) => {
      const key = new Date(name).toISOString().slice(0, 10)
      return { key, label: key, detail: null, url: null, values }
    }),
    totals: TOTALS,
    current_page: 0,
    page_size: 25,
    total_size: 2,
    left_out: 0,
    currency: 'USD',
    time_zone: 'UTC',
    ...READ_AT,
  }))
  server.on(campaignTotal, () => ({
    current_period_clicks: 0,
    current_period_impressions: 0,
    current_period_spent: 0,
    ...READ_AT,
    currency: 'USD',
  }))
  const range = more.includes('start=') ? '' : '&start=2026-11-01&end=2026-11-02'
  const page = renderRoute(`/reports?campaignId=campaign-1${range}${more}`)
  return { server, ...page }
}
const slider = (name: string) => screen.findByRole('slider', { name })
const cards = () => within(screen.getByRole('list', { name: 'Totals' }))
const card = (name: string) => cards().getByRole('button', { name: new RegExp(`^${name}`) })

describe('the chart of a report', () => {
  it('shows the impressions of each day, oldest first', async () => {
    open()
    const chart = await slider('Impressions by day')
    expect(chart).toHaveAttribute('aria-valuetext', 'Nov 02, 2026: Impressions 300')
    chart.focus()
    await userEvent.keyboard('{ArrowLeft}')
    expect(chart).toHaveAttribute('aria-valuetext', 'Nov 01, 2026: Impressions 100')
  })

  it('adds the metric whose card is pressed, on an axis of its own, and keeps both in the URL', async () => {
    const { address } = open()
    await slider('Impressions by day')
    card('Spend').focus()
    await userEvent.keyboard('{Enter}')
    const chart = await slider('Impressions, Spend by day')
    expect(chart).toHaveAttribute('aria-valuetext', 'Nov 02, 2026: Impressions 300, Spend $0.60')
    expect(card('Spend')).toHaveAttribute('aria-pressed', 'true')
    expect(address()).toContain('metric=impressions%2Cspent')
  })

  it('the chart of a report has at most two metrics, and keeps the last one', async () => {
    open('&metric=impressions,spent')
    await slider('Impressions, Spend by day')
    await userEvent.click(card('CTR'))
    await slider('Impressions, CTR by day')
    await userEvent.click(card('Impressions'))
    const chart = await slider('CTR by day')
    await userEvent.click(card('CTR'))
    expect(chart).toHaveAttribute('aria-valuetext', 'Nov 02, 2026: CTR 2.00%')
  })

  it('counts conversions whatever the goal, as the files do', async () => {
    open('&metric=conversions')
    expect(await slider('Conversions by day')).toHaveAttribute('aria-valuetext', 'Nov 02, 2026: Conversions 5')
    // Others count apart (fine print 111).
    expect(card('Conversions')).toHaveTextContent('Conversions9+3 unconfirmed')
  })

  it('the chart of a report is a table as well, for screen readers and on request', async () => {
    open('&metric=impressions,spent')
    await slider('Impressions, Spend by day')
    const rows = () =>
      within(screen.getByRole('table', { name: 'Impressions, Spend by day' }))
        .getAllByRole('row')
        .map(({ textContent }) => textContent)
    const expected = ['Day (UTC)ImpressionsSpend', 'Nov 01, 2026100$0.20', 'Nov 02, 2026300$0.60']
    expect(rows()).toEqual(expected)
    await userEvent.click(screen.getByRole('radio', { name: 'Table' }))
    expect(screen.queryByRole('slider')).toBeNull()
    expect(rows()).toEqual(expected)
  })

  it('speaks Russian', async () => {
    onTestFinished(async () => {
      await chooseLanguage('en')
    })
    await chooseLanguage('ru')
    open('&metric=clicks')
    expect(await slider('Клики по дням')).toHaveAttribute('aria-valuetext', '2 нояб. 2026: Клики 6')
  })

  it('the chart of a report is not there without anything to show', async () => {
    open().server.on(campaignReport, () => ({ points: [], totals: {}, ...READ_AT }))
    expect(await screen.findByText(/No data available/)).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Chart' })).toBeNull()
    expect(document.querySelector('[data-slot=skeleton]')).toBeNull()
  })
})

describe('the figures of an open page', () => {
  const readsIn = async (start: string, end: string) => {
    vi.useFakeTimers({ now: Date.parse('2026-11-02T10:15:00Z'), shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    const { server } = open(`&start=${start}&end=${end}`)
    await slider('Impressions by day')
    await vi.advanceTimersByTimeAsync(2 * FIGURES_MS + 1000)
    return server.calls(campaignReport).length
  }

  it('the figures of an open page of the current day are read again every 15 seconds', async () => {
    expect(await readsIn('2026-11-01', '2026-11-02')).toBe(3)
  })

  it('the figures of an open page of past days are read once', async () => {
    expect(await readsIn('2026-10-30', '2026-11-01')).toBe(1)
  })
})

describe('the page of a report', () => {
  it('the page of a report has its way back, its status and its title', async () => {
    open()
    const path = within(await screen.findByRole('navigation', { name: 'Breadcrumb' }))
    expect(path.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Campaigns', 'Autumn', 'Report'])
    await waitFor(() => expect(document.title).toBe('Report: Autumn – Placard'))
  })

  it('says that it could not be loaded, and tries again', async () => {
    const { server } = open()
    server.on(campaignReport, () => refusal(1, 500))
    expect(await screen.findByRole('alert')).toHaveTextContent('The report could not be loaded')
    server.on(campaignReport, () => ({ points: POINTS, totals: TOTALS, ...READ_AT }))
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('table', { name: 'Figures by day' })).toBeVisible()
  })

  it('exports its range as CSV, with the metrics and filters of the screen', async () => {
    const saved: string[] = []
    const spy = vi.spyOn(files, 'saveFile').mockImplementation((_, name) => void saved.push(name))
    onTestFinished(() => spy.mockRestore())
    const { server } = open('&metrics=spent,clicks&devices=3&step=hours')
    server.on(reportTableFile, () => new Blob(['date']))
    server.on(trafficSourceCsv, () => new Blob(['exchange']))
    await userEvent.click(await screen.findByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(saved).toEqual(['report-by-date-hour.csv']))
    const body = {
      id: 'campaign-1',
      from_date: '2026-11-01',
      to_date: '2026-11-02',
      included_metrics: ['clicks', 'spent'],
    }
    expect(server.calls(reportTableFile)[0]?.body).toMatchObject({
      ...body,
      grouping: 'date_hour',
      device_type_keys: [3],
      format: 'csv',
    })
    await userEvent.click(screen.getByRole('button', { name: 'Traffic sources CSV' }))
    await waitFor(() => expect(saved).toEqual(['report-by-date-hour.csv', 'traffic-source.csv']))
    expect(server.calls(trafficSourceCsv)[0]?.body).toMatchObject({ ...body, device_type_key: 3, granularity_type_key: 1 })
  })
})

describe('the table of a report', () => {
  it('the table of a report has a row for each day, the newest first, and every grouping but the campaign', async () => {
    const { server } = open()
    const table = await screen.findByRole('table', { name: 'Figures by day', busy: false })
    const rows = within(table).getAllByRole('row')
    expect(rows.map(({ textContent }) => /^[A-Z][a-z]+ (\d+, \d{4}|\(UTC\)|days)/.exec(textContent)?.[0])).toEqual([
      'Day (UTC)',
      'All days',
      'Nov 02, 2026',
      'Nov 01, 2026',
    ])
    const choice = screen.getByRole('combobox', { name: 'Group by' })
    expect(within(choice).queryByRole('option', { name: 'Campaign' })).toBeNull()
    await userEvent.selectOptions(choice, 'Creative')
    await waitFor(() => expect(server.calls(reportTable).at(-1)?.body).toMatchObject({ id: 'campaign-1', grouping: 'creative' }))
  })

  it('says what was delivered beyond the budget', async () => {
    const { server } = open()
    server.on(overDelivery, () => ({ impressions: 2000, amount: 5, currency: 'USD', ...READ_AT }))
    expect(await screen.findByText('Delivered beyond the budget: 2,000 impressions worth $5.00, not charged.')).toBeVisible()
  })
})

describe('the filters of a report', () => {
  const lastBody = (server: FakeServer) => server.calls(campaignReport).at(-1)?.body

  it.each([
    ['Desktop', 2],
    ['Mobile', 3],
    ['Android', 5],
    ['Desktop, others', 8],
    ['Mobile, others', 9], // covers CAM-REP-11
  ])('the filters of a report limit it to the device kind %s', async (name, device_type_key) => {
    const { server } = open()
    await userEvent.click(await screen.findByRole('button', { name: 'Filters' }))
    expect(await screen.findAllByRole('checkbox')).toHaveLength(5)
    await userEvent.click(screen.getByRole('checkbox', { name }))
    await waitFor(() => expect(lastBody(server)).toMatchObject({ device_type_key }))
  })

  // covers CAM-REP-06
  it('the filters of a report send a banner size by its key, and all sizes as null', async () => {
    const { server } = open('&size=106')
    await waitFor(() => expect(lastBody(server)).toMatchObject({ visual_size_key: 106 }))
    await userEvent.click(await screen.findByRole('button', { name: 'Filters: 1' }))
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Banner size' }), 'All sizes')
    await waitFor(() => expect(lastBody(server)).toMatchObject({ visual_size_key: null }))
  })

  // covers CAM-REP-09
  it('the filters of a report are sent with every field of a report request, in UTC', async () => {
    const { server } = open('&publisher=News')
    await waitFor(() => expect(server.calls(campaignReport)).toHaveLength(1))
    expect(lastBody(server)).toEqual({
      id: 'campaign-1',
      from_date: '2026-11-01',
      to_date: '2026-11-02',
      device_type_key: null,
      visual_size_key: null,
      granularity_type_key: 2,
      publisher: 'News',
      tz_offset_seconds: 0,
      included_metrics: [
        'impressions',
        'cpm',
        'spent',
        'clicks',
        'cpc',
        'ctr',
        'conversions',
        'unconfirmed_conversions',
        'cpa',
        'cvr',
      ],
    })
  })

  it('the filters of a report are cleared at once', async () => {
    const { server, address } = open('&publisher=News&devices=3&size=106')
    await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(lastBody(server)).toMatchObject({ publisher: null, device_type_key: null, visual_size_key: null }))
    expect(address()).not.toMatch(/publisher|devices|size/)
  })
})

describe('the changes on the chart', () => {
  const changes = [
    {
      name: dayOf('2026-11-01'),
      count: 3,
      total_size: 1,
      campaigns: [{ id: 'campaign-1', name: 'Autumn', count: 3 }],
    },
  ]

  it('the changes on the chart mark the day, and lead to the change log of that day', async () => {
    const server = signedInServer({ role: 'WL_OWNER' })
    server.on(reportsChanges, () => ({ points: changes }))
    open('', server)
    await userEvent.click(await screen.findByRole('button', { name: '3 changes, Nov 01, 2026' }))
    const panel = await screen.findByRole('dialog', { name: 'Changes' })
    expect(within(panel).getByRole('link', { name: 'Autumn' })).toHaveAttribute(
      'href',
      '/campaign/edit/campaign-1?tab=changeLog&log_source=people&log_day=2026-11-01',
    )
    expect(server.calls(reportsChanges)[0]?.body).toMatchObject({ id: 'campaign-1', granularity_type_key: 2 })
  })

  it('the changes on the chart are not asked for by a user who may not read the change log', async () => {
    const { server } = open()
    await slider('Impressions by day')
    expect(server.asked.some(({ id }) => id.includes('changes'))).toBe(false)
  })
})
