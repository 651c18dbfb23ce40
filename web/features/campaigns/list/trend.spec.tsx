import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { campaignTrends, listCampaigns, TREND_DAYS } from '#contract/campaign-list'
import { listRowWith, pageOf, refusal, signedInServer, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const DAYS = Array.from({ length: TREND_DAYS }, (_, n) => `2026-11-${String(n + 15).padStart(2, '0')}`)
const RISING = DAYS.map((_, n) => n * 10)
const ZEROS = DAYS.map(() => 0)

let server: FakeServer
beforeEach(() => {
  server = signedInServer()
  server.on(listCampaigns, () =>
    pageOf([listRowWith(), listRowWith({ id: 'campaign-2', name: 'Winter' }), listRowWith({ id: 'campaign-3', name: 'Spring' })]),
  )
  server.on(campaignTrends, () => ({
    days: DAYS,
    trends: [
      { id: 'campaign-1', values: RISING },
      { id: 'campaign-2', values: ZEROS },
    ],
  }))
})

async function open(address = '/campaigns') {
  renderRoute(address)
  await screen.findByRole('link', { name: 'Autumn' })
}
const asked = () => server.calls(campaignTrends).map(({ body }) => body)
const cellOf = (name: string) => {
  const cell = screen.getByRole('row', { name: new RegExp(name) }).querySelector<HTMLElement>('[data-slot=trend]')
  if (cell === null) throw new Error(`${name} has no trend`)
  return cell
}

describe('the trend of a campaign in the list', () => {
  it('the trend of a campaign in the list is a line with a text for screen readers, asked once for the page', async () => {
    await open()
    const line = await within(cellOf('Autumn')).findByRole('img')
    expect(line).toHaveAccessibleName('Impressions by day, Nov 15, 2026 to Nov 28, 2026: from 0 to 130, 130 today')
    expect(cellOf('Winter')).toHaveTextContent('Impressions: none in these days')
    // The server left it out.
    expect(cellOf('Spring')).toHaveTextContent('–')
    expect(asked()).toEqual([{ ids: ['campaign-1', 'campaign-2', 'campaign-3'], metric: 'impressions' }])
  })

  it('follows the figure that sorts the list, and money has its currency', async () => {
    await open('/campaigns?sort=spent')
    expect(await within(cellOf('Autumn')).findByRole('img')).toHaveAccessibleName(/^Spend by day.*from \$0\.00 to \$130\.00/)
    await userEvent.click(screen.getByRole('button', { name: 'Clicks' }))
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ metric: 'clicks' }))
    await userEvent.click(screen.getByRole('button', { name: 'Name' }))
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ metric: 'impressions' }))
  })

  it('the trend of a campaign in the list is not asked for while the column is hidden', async () => {
    await open('/campaigns?hide=trend')
    expect(screen.queryByRole('columnheader', { name: 'Trend' })).toBeNull()
    expect(asked()).toEqual([])
  })

  it('the trend of a campaign in the list is a dash while the figures are away, and where the call fails', async () => {
    server.on(campaignTrends, () => ({ days: DAYS, trends: [{ id: 'campaign-1', values: null }] }))
    await open()
    await waitFor(() => expect(cellOf('Autumn')).toHaveTextContent('–'))
    expect(within(cellOf('Autumn')).queryByRole('img')).toBeNull()
    server.on(campaignTrends, () => refusal(1, 503))
    await userEvent.click(screen.getByRole('button', { name: 'Clicks' }))
    await waitFor(() => expect(cellOf('Autumn')).toHaveTextContent('–'))
    expect(screen.getByRole('link', { name: 'Autumn' })).toBeVisible()
  })
})
