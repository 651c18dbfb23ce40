import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import {
  GROUPINGS,
  reportsDashboard,
  reportsDimension,
  reportsPlatforms,
  reportsTotal,
} from '../../../../api/contract/reports.ts'
import { READ_AT, refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { REPORT_GROUPINGS } from './report-names.ts'

const dayOf = (date: string) => Date.parse(`${date}T00:00:00.000Z`)
const TOTALS = { impressions: 400, clicks: 7, ctr: 1.75, cpm: 2, cpc: 0.11, conversions: 9, cpa: 0.09, cvr: 128.57, spent: 0.8 }
const EMPTY = { points: [], totals: {}, rows: [], total_size: 0, currency: 'USD', ...READ_AT }
const POINTS = [
  { name: dayOf('2026-11-01'), values: { ...TOTALS, impressions: 100 } },
  { name: dayOf('2026-11-02'), values: { ...TOTALS, impressions: 300 } },
]

function open(more = '', currency: string | null = 'USD') {
  const server = signedInServer()
  const totals = currency === null ? { impressions: 400, clicks: 7 } : TOTALS
  server.on(reportsTotal, () => ({ ...EMPTY, totals, currency }))
  server.on(reportsDashboard, () => ({ ...EMPTY, points: POINTS, totals, currency }))
  const rows = [
    { key: 'NG', label: 'NG', values: totals },
    { key: '', label: '', values: totals },
  ]
  server.on(reportsDimension, () => ({ ...EMPTY, rows, total_size: 2, totals, currency }))
  server.on(reportsPlatforms, () => ({
    ...EMPTY,
    rows: [{ key: '5', label: '5', values: totals }],
    total_size: 1,
    totals,
    currency,
  }))
  return { server, ...renderRoute(`/reports?start=2026-11-01&end=2026-11-02${more}`) }
}

const cellsOf = async (name: string) =>
  within(await screen.findByRole('table', { name, busy: false }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent))

describe('the groupings of a report', () => {
  it('are device kinds, publishers and all that the server knows', () => {
    expect(REPORT_GROUPINGS).toEqual(['platforms', 'publishers', ...GROUPINGS])
  })
})

describe('the report of an account', () => {
  // covers REP-30
  it('has a card for each reporting period, and a press shows that period', async () => {
    const { address } = open()
    const cards = await screen.findAllByRole('button', { name: /^(All time|This month|Past month|Today)/ })
    expect(cards).toHaveLength(4)
    await screen.findAllByText('$0.80')
    await userEvent.click(screen.getByRole('button', { name: /^Past month/ }))
    expect(screen.getByRole('button', { name: /^Past month/ })).toHaveAttribute('aria-pressed', 'true')
    expect(address()).toMatch(/start=\d{4}-\d{2}-01/)
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
    server.on(reportsDimension, () => EMPTY)
    expect(await screen.findByText(/No data available/)).toBeVisible()
    expect(screen.queryByRole('slider')).toBeNull()
  })

  it('reports a failure and tries again', async () => {
    const { server } = open()
    server.on(reportsDashboard, () => refusal(1, 500))
    expect(await screen.findByRole('alert')).toHaveTextContent('The report could not be loaded')
  })
})
