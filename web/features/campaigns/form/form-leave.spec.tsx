import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { listCampaigns } from '../../../../api/contract/campaign-list.ts'
import { getCampaign } from '../../../../api/contract/campaign.ts'
import { listRowWith, pageOf, signedInServer, type FakeServer } from '../../../test/fake-server.ts'
import { renderRoute } from '../../../test/render-route.tsx'
import { campaignWith } from './form-fixture.tsx'

const bidding_strategy = { ...campaignWith({}).bidding_strategy, type: 'awareness', goal: 'MAXIMIZED_REACH' }

let server: FakeServer
beforeEach(() => {
  server = signedInServer()
  server.on(listCampaigns, () => pageOf([listRowWith()]))
  server.on(getCampaign, () => campaignWith({ name: 'Autumn', country: 'EGY', bidding_strategy }))
})

const FORM = '/campaign/edit/campaign-1?tab=basicInfo'
const name = () => screen.getByLabelText('Campaign name')
const menuEntry = async () =>
  within(await screen.findByRole('navigation', { name: 'Main navigation' })).getByRole('link', { name: 'Campaigns' })
const question = () => screen.findByRole('alertdialog', { name: 'Leave without saving?' })
const answer = async (text: string) => userEvent.click(within(await question()).getByRole('button', { name: text }))

/** From the list, as somebody has filtered it, into a form with a change in it. */
async function change() {
  const page = renderRoute('/campaigns?q=aut')
  await userEvent.click(await screen.findByRole('link', { name: 'Autumn' }))
  await userEvent.type(await screen.findByLabelText('Campaign name'), ' 2027')
  expect(page.address()).toBe(FORM)
  return page
}

describe('leaving a form with changes', () => {
  // covers CAM-FORM-31 CAM-FORM-33
  it.each([
    ['by the menu', async () => userEvent.click(await menuEntry())],
    ['by Cancel', async () => userEvent.click(screen.getByRole('button', { name: 'Cancel' }))],
  ])('%s asks first, and Stay leaves everything as it is', async (_, leave) => {
    const { address } = await change()
    await leave()
    await answer('Stay')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(address()).toBe(FORM)
    expect(name()).toHaveValue('Autumn 2027')
    await leave()
    expect(await question()).toBeVisible()
  })

  // covers CAM-FORM-34
  it('by Cancel leads to the list as it was left, by the menu to what was chosen there', async () => {
    const first = await change()
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await answer('Leave')
    await waitFor(() => expect(first.address()).toBe('/campaigns?q=aut'))
    await userEvent.click(await screen.findByRole('link', { name: 'Autumn' }))
    await userEvent.type(await screen.findByLabelText('Campaign name'), '!')
    await userEvent.click(await menuEntry())
    await answer('Leave')
    await waitFor(() => expect(first.address()).toBe('/campaigns'))
  })

  it('means the safe answer by Escape', async () => {
    const { address } = await change()
    await userEvent.click(await menuEntry())
    await question()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(address()).toBe(FORM)
  })
})

describe('nothing is asked', () => {
  it('where nothing was changed', async () => {
    const { address } = renderRoute(FORM)
    await screen.findByLabelText('Campaign name')
    await userEvent.click(await menuEntry())
    await waitFor(() => expect(address()).toBe('/campaigns'))
  })

  it('by going to another section, which keeps what was typed', async () => {
    const { address } = await change()
    await userEvent.click(screen.getByRole('link', { name: /Geography/ }))
    await waitFor(() => expect(address()).toContain('tab=geography'))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await userEvent.click(screen.getByRole('link', { name: 'Campaign setup' }))
    expect(await screen.findByLabelText('Campaign name')).toHaveValue('Autumn 2027')
  })
})
