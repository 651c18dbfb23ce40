import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { getCampaign } from '../../../../api/contract/campaign.ts'
import { campaignReport, campaignReportCsv, campaignTotal } from '../../../../api/contract/reports.ts'
import { chooseLanguage } from '@/i18n/setup'
import * as files from '@/lib/save-file'
import { campaignWith } from '@/test/campaign-form'
import { refusal, signedInServer, READ_AT } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const dayOf = (date: string) => Date.parse(`${date}T00:00:00.000Z`)
const POINTS = [
  { name: dayOf('2026-11-01'), values: { impressions: 100, clicks: 1, ctr: 1, cpm: 2, cpc: 0.2, spent: 0.2, conversions: 4 } },
  { name: dayOf('2026-11-02'), values: { impressions: 300, clicks: 6, ctr: 2, cpm: 2, cpc: 0.1, spent: 0.6, conversions: 5 } },
]
const TOTALS = { impressions: 400, clicks: 7, ctr: 1.75, cpm: 2, cpc: 0.11, spent: 0.8, conversions: 9 }

/** Opens the report of two days. */
function open(more = '', goal: 'MAXIMIZED_REACH' | 'WEB_STANDARD_CONVERSION' = 'MAXIMIZED_REACH') {
  const server = signedInServer()
  const bidding_strategy = { ...campaignWith({}).bidding_strategy, goal }
  server.on(getCampaign, () => campaignWith({ id: 'campaign-1', name: 'Autumn', bidding_strategy }))
  server.on(campaignReport, () => ({ points: POINTS, totals: TOTALS, ...READ_AT }))
  server.on(campaignTotal, () => ({
    current_period_clicks: 0,
    current_period_impressions: 0,
    current_period_spent: 0,
    ...READ_AT,
    currency: 'USD',
  }))
  const page = renderRoute(`/reports?campaignId=campaign-1&start=2026-11-01&end=2026-11-02${more}`)
  return { server, ...page }
}
const slider = (name: string) => screen.findByRole('slider', { name })
const metrics = () => within(screen.getByRole('radiogroup', { name: 'Metric' }))

describe('the chart of a report', () => {
  it('shows the impressions of each day, oldest first', async () => {
    open()
    const chart = await slider('Impressions by day')
    expect(chart).toHaveAttribute('aria-valuetext', 'Nov 02, 2026: Impressions 300')
    chart.focus()
    await userEvent.keyboard('{ArrowLeft}')
    expect(chart).toHaveAttribute('aria-valuetext', 'Nov 01, 2026: Impressions 100')
  })

  it('shows the metric that is chosen by keyboard, and stores it in the URL', async () => {
    const { address } = open()
    await slider('Impressions by day')
    metrics().getByRole('radio', { name: 'Impressions' }).focus()
    await userEvent.keyboard('{End}{Enter}')
    const chart = await slider('Spend by day')
    expect(chart).toHaveAttribute('aria-valuetext', 'Nov 02, 2026: Spend $0.60')
    expect(metrics().getByRole('radio', { name: 'Spend' })).toBeChecked()
    expect(address()).toContain('metric=spent')
  })

  it('keeps its metric when it is pressed again', async () => {
    open('&metric=ctr')
    await slider('CTR by day')
    await userEvent.click(metrics().getByRole('radio', { name: 'CTR' }))
    expect(await slider('CTR by day')).toHaveAttribute('aria-valuetext', 'Nov 02, 2026: CTR 2.00%')
  })

  it('offers conversions only where the goal counts them', async () => {
    open('&metric=conversions')
    await slider('Impressions by day')
    expect(metrics().queryByRole('radio', { name: 'Conversions' })).toBeNull()
  })

  it('offers conversions to a campaign with a conversion goal', async () => {
    open('&metric=conversions', 'WEB_STANDARD_CONVERSION')
    expect(await slider('Conversions by day')).toHaveAttribute('aria-valuetext', 'Nov 02, 2026: Conversions 5')
  })

  it('refers to the table with the same figures', async () => {
    open()
    expect(await slider('Impressions by day')).toHaveAccessibleDescription('The table below shows the same figures.')
    const table = screen.getByRole('table', { name: 'Figures by day' })
    expect(screen.getByRole('figure')).toHaveAttribute('aria-details', table.id)
    expect(screen.getAllByRole('table')).toHaveLength(1)
  })

  it('speaks Russian', async () => {
    onTestFinished(async () => {
      await chooseLanguage('en')
    })
    await chooseLanguage('ru')
    open('&metric=clicks')
    expect(await slider('Клики по дням')).toHaveAttribute('aria-valuetext', '2 нояб. 2026: Клики 6')
  })

  it('is not there without anything to show', async () => {
    open().server.on(campaignReport, () => ({ points: [], totals: {}, ...READ_AT }))
    expect(await screen.findByText(/No data available/)).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Chart' })).toBeNull()
    expect(document.querySelector('[data-slot=skeleton]')).toBeNull()
  })
})

describe('the page of a report', () => {
  it('has its way back, its status and its title', async () => {
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

  it('exports its range as CSV', async () => {
    const saved: string[] = []
    const spy = vi.spyOn(files, 'saveFile').mockImplementation((_, name) => void saved.push(name))
    onTestFinished(() => spy.mockRestore())
    const { server } = open()
    server.on(campaignReportCsv, () => new Blob(['date']))
    await userEvent.click(await screen.findByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(saved).toEqual(['campaign-report.csv']))
    expect(server.calls(campaignReportCsv)[0]?.body).toMatchObject({ from_date: '2026-11-01', to_date: '2026-11-02' })
  })
})
