import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { listCampaigns } from '#contract/campaign-list'
import { listRowWith, pageOf, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const ALL = 'ctr,cvr,cpm,cpc,cpa,budget,start,end,created,updated,id'

async function open(address: string, row: Parameters<typeof listRowWith>[0] = {}) {
  const server = signedInServer()
  server.on(listCampaigns, () => pageOf([listRowWith(row)]))
  const app = renderRoute(address)
  await screen.findByRole('link', { name: 'Autumn' })
  return { server, app }
}
const heads = () =>
  within(screen.getByRole('table'))
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent)

describe('columns that users add to the list', () => {
  it('columns that users add to the list are shown in the order of the address, with the figures of the row', async () => {
    await open(`/campaigns?columns=${ALL}&hide=impressions,clicks,conversions,spent,trend`, {
      ctr: 1.5,
      cvr: 2.25,
      cpm: 3.5,
      cpc: 0.4,
      cpa: null,
      budget: 80,
      budget_type_key: 1,
      campaign_start_at: '2026-11-10T22:30:00.000Z',
      campaign_end_at: null,
      timezone_offset_seconds: 7200,
      created_at: '2026-11-01T10:00:00.000Z',
      updated_at: '2026-11-05T10:00:00.000Z',
    })
    expect(heads()).toEqual([
      '',
      'Name',
      'CTR',
      'CVR',
      'CPM',
      'CPC',
      'CPA',
      'Budget',
      'Start',
      'End',
      'Created',
      'Last change',
      'Id',
      'Actions',
    ])
    const cells = within(screen.getByRole('row', { name: /Autumn/ })).getAllByRole('cell')
    expect(cells.slice(2, 13).map(({ textContent }) => textContent)).toEqual([
      '1.50%',
      '2.25%',
      '$3.50',
      '$0.40',
      '–',
      '$80.00 in all',
      'Nov 11, 2026',
      '–',
      'Nov 01, 2026',
      'Nov 05, 2026',
      'campaign-1',
    ])
  })

  it('columns that users add to the list are not shown before they are chosen, and the server sorts by their figures', async () => {
    const { server } = await open('/campaigns')
    expect(heads()).not.toContain('CTR')
    await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
    await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'CTR' }))
    await userEvent.keyboard('{Escape}')
    await userEvent.click(await screen.findByRole('button', { name: 'CTR' }))
    await waitFor(() => expect(server.calls(listCampaigns).at(-1)?.body).toMatchObject({ order_field: 'ctr', order_asc: false }))
  })
})
