import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { getUser } from '#contract/session'
import { reportsDashboard, reportsTotal } from '#contract/account-reports'
import { reportTable, reportTableFile, type ReportTable } from '#contract/report-tables'
import * as files from '@/lib/save-file'
import { PERSON, READ_AT, refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { METRICS } from '#domain/reports/figures'
import { GROUPINGS } from '#domain/reports/groupings'
import { METRIC_NAMES } from './report-names.ts'

const dayOf = (date: string) => Date.parse(`${date}T00:00:00.000Z`)
const TOTALS = { impressions: 400, clicks: 7, ctr: 1.75, cpm: 2, cpc: 0.11, conversions: 9, cpa: 0.09, cvr: 128.57, spent: 0.8 }
const EMPTY = { points: [], totals: {}, rows: [], total_size: 0, currency: 'USD', ...READ_AT }
const POINTS = [
  { name: dayOf('2026-11-01'), values: { ...TOTALS, impressions: 100 } },
  { name: dayOf('2026-11-02'), values: { ...TOTALS, impressions: 300 } },
]

const NO_NAME = { detail: null, url: null }

/** The table as the server answers it: named, in pages. */
function tableOf(body: unknown, values: Readonly<Record<string, number>>, currency: string | null): ReportTable {
  const {
    grouping,
    search,
    page,
    page_size: size,
  } = body as {
    readonly grouping: string
    readonly search: string | null
    readonly page: number
    readonly page_size: number
  }
  const rows =
    grouping === 'platforms'
      ? [{ key: '5', label: 'Android', ...NO_NAME, values }]
      : grouping === 'creative'
        ? [{ key: 'c1', label: 'main_banner', detail: 'Autumn', url: '/v1/file/cache/f1', values }]
        : grouping === 'campaign'
          ? Array.from({ length: 60 }, (_, n) => ({ key: `campaign-${n}`, label: `Campaign ${n}`, ...NO_NAME, values }))
          : [
              { key: 'NG', label: 'Nigeria', ...NO_NAME, values },
              { key: '', label: '(not reported)', ...NO_NAME, values },
            ]
  const found = rows.filter(({ label }) => label.toLowerCase().includes(search?.toLowerCase() ?? ''))
  return {
    rows: found.slice(page * size, (page + 1) * size),
    totals: values,
    current_page: page,
    page_size: size,
    total_size: found.length,
    left_out: grouping === 'campaign' ? 40 : 0,
    currency,
    time_zone: 'UTC',
    ...READ_AT,
  }
}

function open(
  more = '',
  currency: string | null = 'USD',
  server = signedInServer(),
  address = `/reports?${more.includes('start=') ? '' : 'start=2026-11-01&end=2026-11-02'}${more}`,
) {
  const totals = currency === null ? { impressions: 400, clicks: 7 } : TOTALS
  server.on(reportsTotal, () => ({ ...EMPTY, totals, currency }))
  server.on(reportsDashboard, () => ({ ...EMPTY, points: POINTS, totals, currency }))
  server.on(reportTable, ({ body }) => tableOf(body, totals, currency))
  return { server, ...renderRoute(address) }
}

const cellsOf = async (name: string) =>
  within(await screen.findByRole('table', { name, busy: false }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent))

describe('the groupings of a report', () => {
  // covers CONST-43
  it('the groupings of a report are the fifteen of the specification, and days', () => {
    expect(GROUPINGS.filter((grouping) => grouping !== 'day')).toEqual([
      'device_os',
      'app_or_site',
      'size',
      'creative',
      'exchange',
      'advertiser',
      'country',
      'region',
      'city',
      'year',
      'quarter',
      'month',
      'week',
      'day_of_week',
      'hour',
    ])
  })
})

describe('the metrics of a report', () => {
  // covers CONST-44
  it('the metrics of a report are all that the server knows', () => {
    expect(METRIC_NAMES.toSorted()).toEqual(METRICS.toSorted())
    expect(METRIC_NAMES.toSorted()).toEqual(
      [
        // The eighteen of platform.md §3.
        'spent',
        'cpm',
        'impressions',
        'reach',
        'conversions',
        'cvr',
        'cpcv',
        'clicks',
        'ctr',
        'cpc',
        'bids',
        'win_rate',
        'unique_conversions',
        'bounces',
        'bounce_rate',
        'engagements',
        'engagement_rate',
        'cpa',
        // Delivered rows have these too (fine print 31).
        'conversions_unique_bid',
        'completed_views',
        // Counted apart (fine print 111).
        'unconfirmed_conversions',
      ].toSorted(),
    )
  })
})

describe('the report of an account', () => {
  // covers REP-30
  it('the report of an account has a card for each reporting period, and a press shows that period', async () => {
    const { address } = open()
    const cards = await screen.findAllByRole('button', { name: /^(All time|This month|Past month|Today)/ })
    expect(cards).toHaveLength(4)
    expect(cards[0]?.closest('ul')?.children).toHaveLength(4)
    await screen.findAllByText('$0.80')
    await userEvent.click(screen.getByRole('button', { name: /^Past month/ }))
    expect(screen.getByRole('button', { name: /^Past month/ })).toHaveAttribute('aria-pressed', 'true')
    expect(address()).toMatch(/start=\d{4}-\d{2}-01/)
  })

  it('shows today by the hour for the live period, and days again for another', async () => {
    const { server, address } = open()
    await userEvent.click(await screen.findByRole('button', { name: /^Today/ }))
    await waitFor(() => expect(server.calls(reportsDashboard).at(-1)?.body).toMatchObject({ granularity_type_key: 1 }))
    expect(address()).toContain('step=hours')
    await userEvent.click(screen.getByRole('button', { name: /^This month/ }))
    await waitFor(() => expect(server.calls(reportsDashboard).at(-1)?.body).toMatchObject({ granularity_type_key: 2 }))
  })

  it('groups its table by country, with totals above and a name for rows without one', async () => {
    open()
    const [heads, totals, first, second] = await cellsOf('Figures by Country')
    expect(heads?.[0]).toBe('Country')
    expect(totals?.slice(0, 2)).toEqual(['All', '400'])
    expect(first?.slice(0, 2)).toEqual(['Nigeria', '400'])
    expect(second?.[0]).toBe('(not reported)')
  })

  it('groups by device kind, by their names, and keeps the grouping in the URL', async () => {
    const { address } = open()
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Group by' }), 'Device kind')
    const [, , row] = await cellsOf('Figures by Device kind')
    expect(row?.[0]).toBe('Android')
    expect(address()).toContain('by=platforms')
  })

  it('sorts its table by any column, and keeps the order in the URL', async () => {
    const { server, address } = open()
    const last = () => server.calls(reportTable).at(-1)?.body
    await cellsOf('Figures by Country')
    expect(last()).toMatchObject({ order_field: null, order_asc: null })
    await userEvent.click(screen.getByRole('button', { name: 'Clicks' }))
    await waitFor(() => expect(last()).toMatchObject({ order_field: 'clicks', order_asc: false }))
    await userEvent.click(screen.getByRole('button', { name: 'Clicks' }))
    await waitFor(() => expect(last()).toMatchObject({ order_field: 'clicks', order_asc: true }))
    expect(address()).toMatch(/order=clicks&dir=asc|dir=asc&order=clicks/)
    await userEvent.click(screen.getByRole('button', { name: 'Country' }))
    await waitFor(() => expect(last()).toMatchObject({ order_field: 'name', order_asc: true }))
  })

  it('searches its table by name, and clears the search', async () => {
    const { address } = open()
    await cellsOf('Figures by Country')
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search by name' }), 'nig')
    await waitFor(async () => expect(await cellsOf('Figures by Country')).toHaveLength(3))
    expect(address()).toContain('q=nig')
    const [, totals] = await cellsOf('Figures by Country')
    expect(totals?.[0]).toBe('All found')
    await userEvent.type(screen.getByRole('searchbox'), 'xyz')
    await userEvent.click(await screen.findByRole('button', { name: 'Clear search' }))
    await waitFor(async () => expect(await cellsOf('Figures by Country')).toHaveLength(4))
  })

  it('pages its table, and says which rows it leaves out', async () => {
    const { server } = open('&by=campaign')
    const table = within(await screen.findByRole('table', { name: 'Figures by Campaign', busy: false }))
    expect(table.getAllByTestId(/^report-row-/)).toHaveLength(25)
    expect(screen.getByText('The 60 rows with the most spend, of 100.')).toBeVisible()
    expect(table.getByRole('link', { name: 'Campaign 0' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^\/reports\?.*campaignId=campaign-0/),
    )
    await userEvent.click(screen.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(server.calls(reportTable).at(-1)?.body).toMatchObject({ page: 1, page_size: 25 }))
    await userEvent.click(await screen.findByRole('button', { name: 'CTR' }))
    await waitFor(() => expect(server.calls(reportTable).at(-1)?.body).toMatchObject({ page: 0, order_field: 'ctr' }))
  })

  it('names creatives, with their pictures and campaigns', async () => {
    open('&by=creative')
    const row = await screen.findByTestId('report-row-c1')
    expect(within(row).getByRole('rowheader')).toHaveTextContent('main_bannerAutumn')
    expect(row.querySelector('img')).toHaveAttribute('src', '/v1/file/cache/f1')
  })

  it('exports the table that is shown, as CSV and as a workbook', async () => {
    const saved: string[] = []
    const spy = vi.spyOn(files, 'saveFile').mockImplementation((_, name) => void saved.push(name))
    onTestFinished(() => spy.mockRestore())
    const { server } = open('&by=platforms&order=clicks&dir=asc&q=and&metrics=clicks,spent&devices=3,5')
    server.on(reportTableFile, () => new Blob(['device']))
    await cellsOf('Figures by Device kind')
    await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }))
    await userEvent.click(screen.getByRole('button', { name: 'Export Excel' }))
    await waitFor(() => expect(saved).toEqual(['report-by-platforms.csv', 'report-by-platforms.xlsx']))
    expect(server.calls(reportTableFile).map(({ body }) => body)).toMatchObject(
      ['csv', 'xlsx'].map((format) => ({
        format,
        grouping: 'platforms',
        order_field: 'clicks',
        order_asc: true,
        search: 'and',
        device_type_keys: [3, 5],
        included_metrics: ['clicks', 'spent'],
        from_date: '2026-11-01',
        to_date: '2026-11-02',
        language_key: 1,
      })),
    )
  })

  it('follows the days of an account in another time zone', async () => {
    vi.setSystemTime(new Date('2026-11-20T21:30:00Z'))
    onTestFinished(() => void vi.useRealTimers())
    const server = signedInServer()
    server.on(getUser, () => ({ ...PERSON, time_zone: 'Asia/Yerevan', timezone_offset_seconds: 4 * 3600 }))
    open('', 'USD', server, '/reports')
    const start = Date.parse('2026-11-19T20:00:00Z')
    server.on(reportsDashboard, () => ({
      ...EMPTY,
      points: [
        { name: start, values: TOTALS },
        { name: start + 24 * 3_600_000, values: { ...TOTALS, impressions: 5 } },
      ],
      totals: TOTALS,
      as_of: '2026-11-20T21:30:00.000Z',
    }))
    await waitFor(() =>
      expect(server.calls(reportsDashboard)[0]?.body).toMatchObject({
        from_date: '2026-11-15',
        to_date: '2026-11-21',
        days_of: 'account',
      }),
    )
    const chart = await screen.findByRole('slider', { name: 'Impressions by day' })
    expect(chart).toHaveAttribute('aria-valuetext', 'Nov 21, 2026: Impressions 5')
    expect(screen.getByText('This day is not over')).toBeVisible()
    await waitFor(() => expect(server.calls(reportTable)[0]?.body).toMatchObject({ days_of: 'account' }))
  })

  it('draws the chosen metric by day', async () => {
    open()
    const chart = await screen.findByRole('slider', { name: 'Impressions by day' })
    expect(chart).toHaveAttribute('aria-valuetext', 'Nov 02, 2026: Impressions 300')
  })

  it('shows no money where accounts of several currencies are in reach', async () => {
    open('', null)
    expect(await screen.findByText(/Accounts of several currencies/)).toBeVisible()
    const [heads] = await cellsOf('Figures by Country')
    expect(heads).not.toContain('Spend')
    expect(heads).toContain('Clicks')
  })

  it('says that nothing was delivered', async () => {
    const { server } = open()
    server.on(reportsDashboard, () => EMPTY)
    expect(await screen.findByText(/No data available/)).toBeVisible()
    expect(screen.queryByRole('slider')).toBeNull()
  })

  it('reports a failure and tries again', async () => {
    const { server } = open()
    server.on(reportsDashboard, () => refusal(1, 500))
    expect(await screen.findByRole('alert')).toHaveTextContent('The report could not be loaded')
  })

  // covers REP-31
  it('the report of an account is by hour or by day, by button or key', async () => {
    const { server, address } = open()
    await screen.findByRole('slider', { name: 'Impressions by day' })
    const last = () => server.calls(reportsDashboard).at(-1)?.body
    await userEvent.click(screen.getByRole('radio', { name: /^Hours/ }))
    await screen.findByRole('slider', { name: 'Impressions by hour' })
    expect(last()).toMatchObject({ granularity_type_key: 1 })
    expect(address()).toContain('step=hours')
    await userEvent.keyboard('2')
    await screen.findByRole('slider', { name: 'Impressions by day' })
    await userEvent.keyboard('1')
    await screen.findByRole('slider', { name: 'Impressions by hour' })
  })

  it('the report of an account is by day alone beyond 31 days', async () => {
    const { server } = open('&start=2026-09-01&end=2026-11-02&step=hours')
    await screen.findByRole('slider', { name: 'Impressions by day' })
    expect(screen.getByRole('radio', { name: /^Hours/ })).toBeDisabled()
    expect(server.calls(reportsDashboard)[0]?.body).toMatchObject({ granularity_type_key: 2 })
  })

  // covers REP-23
  it('asks for thirty days of hours week by week, and shows one result', async () => {
    const server = signedInServer()
    open('&start=2026-10-04&end=2026-11-02&step=hours', 'USD', server)
    server.on(reportsDashboard, ({ body }) => {
      const { from_date } = body as { readonly from_date: string }
      const values = { impressions: 100, clicks: 1, spent: 0.1 }
      return { ...EMPTY, points: [{ name: dayOf(from_date), values }], totals: { ...values, ctr: 1 } }
    })
    const chart = await screen.findByRole('slider', { name: 'Impressions by hour' })
    expect(chart).toHaveAttribute('aria-valuemax', '4')
    const totals = within(screen.getByRole('list', { name: 'Totals' }))
    expect(totals.getByRole('button', { name: /^Impressions/ })).toHaveTextContent('Impressions500')
    expect(totals.getByRole('button', { name: /^CTR/ })).toHaveTextContent('CTR1.00%')
    expect(totals.getByRole('button', { name: /^Spend/ })).toHaveTextContent('Spend$0.50')
    const asked = server.calls(reportsDashboard).map(({ body }) => body)
    expect(asked).toMatchObject([
      { from_date: '2026-10-04', to_date: '2026-10-10', granularity_type_key: 1 },
      { from_date: '2026-10-11', to_date: '2026-10-17' },
      { from_date: '2026-10-18', to_date: '2026-10-24' },
      { from_date: '2026-10-25', to_date: '2026-10-31' },
      { from_date: '2026-11-01', to_date: '2026-11-02' },
    ])
  })

  // covers REP-15
  it('sends one request for each filter, all at once, and draws a line for each', async () => {
    const server = signedInServer()
    const answers: (() => void)[] = []
    open('&devices=2,3,5', 'USD', server)
    server.on(reportsDashboard, async ({ body }) => {
      const { device_type_key: device } = body as { readonly device_type_key: number }
      await new Promise<void>((resolve) => answers.push(resolve))
      const values = { impressions: device * 10, spent: 1 }
      return { ...EMPTY, points: [{ name: dayOf('2026-11-01'), values }], totals: values }
    })
    await waitFor(() => expect(answers).toHaveLength(3))
    for (const answer of answers) answer()
    const chart = await screen.findByRole('slider', { name: 'Impressions by day' })
    expect(chart).toHaveAttribute('aria-valuetext', 'Nov 01, 2026: Desktop 20, Mobile 30, Android 50')
    const totals = within(screen.getByRole('list', { name: 'Totals' }))
    expect(totals.getByRole('button', { name: /^Impressions/ })).toHaveTextContent('Impressions100')
    expect(totals.getByRole('button', { name: /^Spend/ })).toHaveTextContent('Spend$3.00')
  })

  it('compares with the previous period: cards in percent, lines dashed', async () => {
    const server = signedInServer()
    const { address } = open('&metric=impressions', 'USD', server)
    server.on(reportsDashboard, ({ body }) => {
      const { from_date } = body as { readonly from_date: string }
      if (from_date === '2026-11-01') return { ...EMPTY, points: POINTS, totals: TOTALS }
      const values = { impressions: 200, clicks: 14, conversions: 0 }
      const points = [
        { name: dayOf('2026-10-30'), values },
        { name: dayOf('2026-10-31'), values },
      ]
      return { ...EMPTY, points, totals: { impressions: 320, clicks: 14, conversions: 0, spent: 0.8 } }
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Compare with previous period' }))
    const chart = await screen.findByRole('slider', { name: 'Impressions by day' })
    await waitFor(() =>
      expect(chart).toHaveAttribute('aria-valuetext', 'Nov 02, 2026: Impressions 300, Impressions, previous period 200'),
    )
    expect(address()).toContain('compare=previous')
    const of = (name: string) =>
      within(screen.getByRole('list', { name: 'Totals' })).getByRole('button', { name: new RegExp(`^${name}`) })
    expect(of('Impressions')).toHaveAccessibleName('Impressions 400 25% more than in Oct 30, 2026 – Oct 31, 2026')
    expect(of('Clicks')).toHaveAccessibleName(/50% less than in/)
    expect(of('Conversions')).toHaveAccessibleName(/Nothing in Oct 30/)
    expect(of('Conversions')).toHaveTextContent('new')
    expect(of('Spend')).toHaveAccessibleName(/The same as in/)
  })

  it('compares a day that is not over with the same hours of the day before', async () => {
    const server = signedInServer()
    open('&start=2026-11-02&end=2026-11-02&step=hours&compare=previous', 'USD', server)
    server.on(reportsDashboard, ({ body }) => {
      const start = dayOf((body as { readonly from_date: string }).from_date)
      const points = Array.from({ length: 24 }, (_, hour) => ({
        name: start + hour * 3_600_000,
        values: { impressions: start === dayOf('2026-11-01') || hour <= 10 ? 10 : 0 },
      }))
      return { ...EMPTY, points, totals: { impressions: start === dayOf('2026-11-01') ? 240 : 110 } }
    })
    const chart = await screen.findByRole('slider', { name: 'Impressions by hour' })
    expect(chart).toHaveAttribute('aria-valuemax', '10')
    const card = within(screen.getByRole('list', { name: 'Totals' })).getByRole('button', { name: /^Impressions/ })
    await waitFor(() => expect(card).toHaveAccessibleName(/The same as in Nov 01/))
  })

  it('shows the chosen metrics alone, on cards and as columns, and keeps them in the URL', async () => {
    const { server, address } = open()
    await screen.findByRole('slider', { name: 'Impressions by day' })
    await userEvent.click(screen.getByRole('button', { name: 'Metrics' }))
    const item = (name: string) => screen.findByRole('menuitemcheckbox', { name })
    expect(await screen.findAllByRole('menuitemcheckbox')).toHaveLength(METRIC_NAMES.length)
    await userEvent.click(await item('CPM'))
    await userEvent.click(await item('Win rate'))
    await userEvent.keyboard('{Escape}')
    const heads = ['Impressions', 'Clicks', 'CPC', 'CTR', 'Conversions', 'CPA', 'CVR', 'Spend', 'Win rate']
    await waitFor(async () => expect((await cellsOf('Figures by Country'))[0]).toEqual(['Country', ...heads]))
    const cards = within(screen.getByRole('list', { name: 'Totals' })).getAllByRole('button')
    expect(cards.map(({ textContent }) => /^[A-Za-z ]+/.exec(textContent)?.[0])).toEqual(heads)
    expect(address()).toContain('metrics=')
    expect(server.calls(reportsDashboard).at(-1)?.body).toMatchObject({
      included_metrics: expect.arrayContaining(['win_rate', 'bids']) as unknown,
    })
  })

  // covers REP-27
  it('the report of an account is about the last seven days at first', async () => {
    vi.setSystemTime(new Date('2026-11-20T12:00:00Z'))
    onTestFinished(() => void vi.useRealTimers())
    const { server } = open('', 'USD', signedInServer(), '/reports')
    expect(await screen.findByRole('button', { name: /^Date range: Last 7 days/ })).toBeVisible()
    await waitFor(() =>
      expect(server.calls(reportsDashboard)[0]?.body).toMatchObject({ from_date: '2026-11-14', to_date: '2026-11-20' }),
    )
  })

  // covers REP-24
  it('keeps the picked range in the URL', async () => {
    const { address } = open()
    await userEvent.click(await screen.findByRole('button', { name: /^Date range/ }))
    await userEvent.click(await screen.findByRole('button', { name: 'Last 30 days' }))
    await waitFor(() => expect(address()).toMatch(/start=\d{4}-\d{2}-\d{2}&end=\d{4}-\d{2}-\d{2}/))
    expect(address()).not.toContain('start=2026-11-01&end=2026-11-02')
  })

  // covers REP-25 REP-26
  it('offers the presets of the list and a range of one’s own', async () => {
    open()
    await userEvent.click(await screen.findByRole('button', { name: /^Date range/ }))
    const panel = within(await screen.findByRole('dialog', { name: 'Date range' }))
    for (const name of ['Today', 'Last 7 days', 'Last 30 days', 'Last 365 days', 'This month', 'Past month', 'Custom range'])
      expect(panel.getByRole('button', { name })).toBeVisible()
  })

  // covers REP-29
  it('names the years of a range of 365 days', async () => {
    open('&start=2025-11-21&end=2026-11-20')
    expect(await screen.findByRole('button', { name: /Nov 21, 2025 – Nov 20, 2026/ })).toBeVisible()
  })
})
