import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { revisionSnapshot } from '#contract/audit'
import { getCampaign, updateCampaign } from '#contract/campaign'
import { listCampaigns, type ListRow } from '#contract/campaign-list'
import { campaignWith } from '@/test/campaign-form'
import { listRowWith, pageOf, refusal, signedInServer, type FakeServer } from '@/test/fake-server'
import { entryOf } from '@/test/log-fixture'
import { renderRoute } from '@/test/render-route'

let server: FakeServer
let rows: ListRow[]
const rowOf = (name: string) => screen.getByRole('row', { name: new RegExp(name) })
const cell = (name: RegExp) => screen.getByRole('button', { name })
const sent = () => server.calls(updateCampaign).map(({ body }) => body)
const names = () => screen.getAllByRole('row').flatMap((row) => within(row).queryByRole('link')?.textContent ?? [])
type Sent = { readonly id: string; readonly revision: number }

/** Stores what is saved, as the server does. */
function stores() {
  server.on(updateCampaign, ({ body }) => {
    const { id, revision, ...fields } = body as Sent
    const { name, budget, campaign_start_at, campaign_end_at } = listRowWith(rows.find((row) => row.id === id))
    const saved = campaignWith({ name, budget, campaign_start_at, campaign_end_at, ...fields, id, revision: revision + 1 })
    rows = rows.map((row) => (row.id === id ? { ...row, ...fields, revision: saved.revision } : row))
    return { ...saved, position: '9' }
  })
}

beforeEach(() => {
  server = signedInServer()
  rows = [listRowWith(), listRowWith({ id: 'campaign-2', name: 'Winter', budget: null })]
  server.on(listCampaigns, () => pageOf(rows))
})

async function open() {
  const page = renderRoute('/campaigns')
  await screen.findByRole('table')
  await screen.findByRole('link', { name: 'Autumn' })
  return page
}

describe('the cells of the campaign list', () => {
  it('the cells of the campaign list change a budget in place: two clicks and Enter, and one Undo', async () => {
    stores()
    const { address } = await open()
    await userEvent.click(cell(/^\$20\.00 a day: budget of Autumn/))
    const input = await screen.findByLabelText('Daily budget')
    expect(input).toHaveFocus()
    await userEvent.keyboard('35{Enter}')
    await waitFor(() => expect(sent()).toEqual([{ id: 'campaign-1', revision: 3, budget: 35 }]))
    expect(await within(rowOf('Autumn')).findByText('$35.00 a day')).toBeVisible()
    expect(screen.queryByLabelText('Daily budget')).toBeNull()
    expect(address()).toBe('/campaigns')
    await waitFor(() => expect(cell(/^\$35\.00 a day/)).toHaveFocus())
    fireEvent.click(await screen.findByRole('button', { name: /^Undo/ }))
    await waitFor(() => expect(sent().at(-1)).toEqual({ id: 'campaign-1', revision: 4, budget: 20 }))
    expect(await within(rowOf('Autumn')).findByText('$20.00 a day')).toBeVisible()
  })

  it('the cells of the campaign list open by F2: the name from its link', async () => {
    stores()
    await open()
    screen.getByRole('link', { name: 'Autumn' }).focus()
    await userEvent.keyboard('{F2}')
    await screen.findByLabelText('Campaign name')
    await userEvent.keyboard('Spring{Enter}')
    await waitFor(() => expect(sent()).toEqual([{ id: 'campaign-1', revision: 3, name: 'Spring' }]))
    await waitFor(() => expect(screen.getByRole('link', { name: 'Spring' })).toHaveFocus())
  })

  it('the cells of the campaign list send only the date that was changed', async () => {
    stores()
    await open()
    await userEvent.click(cell(/^no end date: dates of Autumn/))
    expect(await screen.findByLabelText('Start date')).toHaveValue('Jan 10, 2026')
    fireEvent.change(screen.getByLabelText('End date'), { target: { value: '12/31/2099' } })
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent()).toEqual([{ id: 'campaign-1', revision: 3, campaign_end_at: '2099-12-31' }]))
  })

  it('the cells of the campaign list give up what was typed with Escape', async () => {
    await open()
    await userEvent.click(cell(/^\$20\.00 a day/))
    await screen.findByLabelText('Daily budget')
    await userEvent.keyboard('99{Escape}')
    await waitFor(() => expect(screen.queryByLabelText('Daily budget')).toBeNull())
    expect(sent()).toEqual([])
    await userEvent.click(cell(/^\$20\.00 a day/))
    expect(await screen.findByLabelText('Daily budget')).toHaveValue('20')
  })

  it('the cells of the campaign list show a refusal of the server at the cell, and keep what was typed', async () => {
    const fault = {
      path: 'budget',
      code: 1309,
      key: 'budgetBelowBid',
      params: {},
      message: 'Budget is below the bid',
      tab: 'basicInfo',
    }
    server.on(updateCampaign, () => refusal(1309, 400, [fault]))
    await open()
    await userEvent.click(cell(/^\$20\.00 a day/))
    const input = await screen.findByLabelText('Daily budget')
    await userEvent.keyboard('1{Enter}')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toMatch(/bid/i)
    expect(input).toHaveValue('1')
    expect(input).toHaveAccessibleDescription(expect.stringMatching(/bid/i))
  })

  it('the cells of the campaign list save on top of a concurrent change of other fields', async () => {
    let refused = false
    server.on(updateCampaign, ({ body }) => {
      if (refused) return { ...campaignWith({ budget: 35, revision: 6 }), position: '9' }
      refused = true
      expect(body).toMatchObject({ revision: 3 })
      return refusal(140, 409)
    })
    server.on(getCampaign, () => campaignWith({ name: 'Autumn sale', budget: 20, revision: 5 }))
    await open()
    await userEvent.click(cell(/^\$20\.00 a day/))
    await screen.findByLabelText('Daily budget')
    await userEvent.keyboard('35{Enter}')
    await waitFor(() => expect(sent().at(-1)).toEqual({ id: 'campaign-1', revision: 5, budget: 35 }))
  })

  it('the cells of the campaign list name who changed the same value, and save over it only on request', async () => {
    server.on(updateCampaign, () => refusal(140, 409))
    server.on(getCampaign, () => campaignWith({ budget: 50, revision: 5 }))
    server.on(revisionSnapshot, () => pageOf([entryOf(5, [], { author: 'Bola Okoro', author_id: 'bola' })]))
    await open()
    await userEvent.click(cell(/^\$20\.00 a day/))
    const input = await screen.findByLabelText('Daily budget')
    await userEvent.keyboard('35{Enter}')
    expect(await screen.findByText(/^Bola Okoro changed this at .* It is now: \$50\.00 a day$/)).toBeVisible()
    expect(input).toHaveValue('35')
    expect(sent()).toHaveLength(1)
    server.on(updateCampaign, () => ({ ...campaignWith({ budget: 35, revision: 6 }), position: '9' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save anyway' }))
    await waitFor(() => expect(sent().at(-1)).toEqual({ id: 'campaign-1', revision: 5, budget: 35 }))
  })

  it('the cells of the campaign list keep their rows in place when a save changes the order of the list', async () => {
    stores()
    await open()
    expect(names()).toEqual(['Autumn', 'Winter'])
    server.on(listCampaigns, () => pageOf(rows.toReversed()))
    await userEvent.click(cell(/^no budget: budget of Winter/))
    await screen.findByLabelText('Daily budget')
    const asked = server.calls(listCampaigns).length
    await userEvent.keyboard('5{Enter}')
    await waitFor(() => expect(server.calls(listCampaigns).length).toBeGreaterThan(asked))
    expect(await within(rowOf('Winter')).findByText('$5.00 a day')).toBeVisible()
    expect(names()).toEqual(['Autumn', 'Winter'])
  })

  it('the cells of the campaign list are plain text for viewers and in archived campaigns', async () => {
    rows = [listRowWith({ status_key: 5 })]
    await open()
    expect(within(rowOf('Autumn')).getByText('$20.00 a day')).toBeVisible()
    expect(document.querySelector('[data-edit]')).toBeNull()
  })
})
