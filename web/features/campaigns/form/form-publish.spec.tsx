import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { getCampaign, publishCampaign } from '#contract/campaign'
import { balance } from '#contract/balance'
import { fundsOf } from '@/test/funds-fixture'
import { toast } from '@/lib/toast'
import { refusal, signedInServer, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { fieldLabel } from './field-label.ts'
import { campaignWith } from '@/test/campaign-form'

const bidding_strategy = { ...campaignWith({}).bidding_strategy, type: 'awareness', goal: 'MAXIMIZED_REACH' }
const stored = (patch: Partial<Campaign> = {}) =>
  campaignWith({ id: 'campaign-1', name: 'Autumn', country: 'EG', budget: 20, bidding_strategy, ...patch })
const answered = (patch: Partial<Campaign> = {}) => ({ ...stored({ revision: 4, status_key: 1, ...patch }), position: '9' })

let server: FakeServer
const [success, info] = [vi.spyOn(toast, 'success'), vi.spyOn(toast, 'info')]
beforeEach(() => {
  success.mockClear()
  info.mockClear()
  server = signedInServer()
})

async function open(patch: Partial<Campaign> = {}, address = '/campaign/edit/campaign-1?tab=basicInfo') {
  server.on(getCampaign, () => stored(patch))
  const page = renderRoute(address)
  await screen.findByRole('button', { name: 'Publish' }, { timeout: 5000 })
  return page
}
const publish = () => userEvent.click(screen.getByRole('button', { name: 'Publish' }))
const published = () => server.calls(publishCampaign).filter(({ query }) => !query.has('dry_run'))

describe('faults of publishing', () => {
  const FAULTS = [
    { path: 'country', code: 1301, message: 'Missing mandatory field(s)' },
    { path: 'budget', code: 135, message: '', key: 'required' },
    { path: 'native_ad.logo', code: 135, message: '', key: 'needLogo' },
    { path: 'visuals.banners', code: 135, message: '', key: 'needBanner' },
  ]
  const lines = async () =>
    within(await screen.findByRole('alert'))
      .getAllByRole('button')
      .map(({ textContent }) => textContent)

  it('are all listed at once, those of the form and those of the server, and name their ads', async () => {
    server.on(publishCampaign, () => refusal(1301, 400, FAULTS))
    await open({}, '/campaign/create')
    await publish()
    expect(await lines()).toEqual([
      'Country: Field is required.',
      'Daily budget: Field is required.',
      'Banner ads: At least one banner is needed',
      'Native ads: Logo: A logo is needed',
    ])
    expect(screen.getByRole('alert')).toHaveTextContent('Fix 4 things to publish')
    expect(server.calls(publishCampaign).map(({ query }) => query.get('dry_run'))).toEqual(['true'])
  })

  it('are still those of the form where the server cannot be asked', async () => {
    server.on(publishCampaign, () => Promise.reject(new TypeError('Failed to fetch')))
    await open({}, '/campaign/create')
    await publish()
    expect(await lines()).toEqual(['Country: Field is required.'])
  })

  it('are about saving where a save was asked for', async () => {
    await open({}, '/campaign/create')
    await userEvent.click(screen.getByRole('button', { name: 'Save & Next' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Fix 1 thing to save')
  })

  it('bring their field into the middle of the window, clear of messages at its edge', async () => {
    await open({}, '/campaign/create')
    const scrolled = vi.spyOn(screen.getByLabelText('Country'), 'scrollIntoView')
    await userEvent.click(screen.getByRole('button', { name: 'Save & Next' }))
    await waitFor(() => expect(scrolled).toHaveBeenCalledWith({ block: 'center' }))
    expect(screen.getByLabelText('Country')).toHaveFocus()
  })

  it.each([
    ['responsive.logos', 'Responsive ads: Logo'],
    ['native.creativeName', 'Native ads: Creative name'],
    ['video.creativeName', 'Video ads: Creative name'],
    ['banners.0.creativeName', 'Banner ads: Creative name'],
    ['setup.bid', 'Bid per result'],
  ])('%s is called "%s"', (field, label) => {
    expect(fieldLabel(field)).toBe(label)
  })
})

describe('publishing', () => {
  it('a campaign without changes says that there is nothing to publish, and stays', async () => {
    server.on(publishCampaign, () => answered({ revision: 3, status_key: 3 }))
    const { address } = await open({ status_key: 3, review: 'approved' })
    await publish()
    await waitFor(() => expect(info).toHaveBeenCalledWith('Nothing to publish: there are no changes.'))
    expect(success).not.toHaveBeenCalled()
    expect(address()).toContain('/campaign/edit/campaign-1')
  })

  it('asks first when the balance does not cover the daily budget', async () => {
    server.on(balance, () => fundsOf(5000))
    server.on(publishCampaign, () => answered())
    const { address } = await open({ budget: 90_000, daily_budget_spent: 1000 })
    await publish()
    const question = await screen.findByRole('alertdialog', { name: 'Publish without enough balance?' })
    expect(question).toHaveTextContent('The account balance is $5,000.00. This campaign may still spend $89,000.00 today')
    await userEvent.click(within(question).getByRole('button', { name: 'Keep editing' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(published()).toHaveLength(0)
    await publish()
    await userEvent.click(await screen.findByRole('button', { name: 'Publish anyway' }))
    await waitFor(() => expect(address()).toBe('/campaigns'))
    expect(published()).toHaveLength(1)
  })

  it('does not ask when the balance covers what is left of the total budget', async () => {
    server.on(balance, () => fundsOf(5))
    server.on(publishCampaign, () => answered())
    const { address } = await open({ budget: 20, budget_type_key: 1, budget_spent: 15 })
    await publish()
    await waitFor(() => expect(address()).toBe('/campaigns'))
    expect(published()).toHaveLength(1)
  })

  it('happens once, however often the button is pressed', async () => {
    let tell: (answer: ReturnType<typeof fundsOf>) => void = () => {}
    server.on(balance, () => new Promise((resolve) => (tell = resolve)))
    server.on(publishCampaign, () => answered())
    const { address } = await open()
    await publish()
    await publish()
    await waitFor(() => expect(server.calls(balance)).toHaveLength(1))
    tell(fundsOf(100))
    await waitFor(() => expect(address()).toBe('/campaigns'))
    expect(published()).toHaveLength(1)
  })

  it.each([
    ['covers the budget', fundsOf(20)],
    ['cannot be read', refusal(3, 403)],
  ])('does not ask when the balance %s', async (_, answer) => {
    server.on(balance, () => answer)
    server.on(publishCampaign, () => answered())
    const { address } = await open()
    await publish()
    await waitFor(() => expect(address()).toBe('/campaigns'))
  })
})
