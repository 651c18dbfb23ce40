import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { DryRun } from '#contract/campaign-answers'
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
  await screen.findByRole('button', { name: 'Publish' })
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

  it('faults of publishing are all listed at once, those of the form and those of the server, and name their ads', async () => {
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

  it('faults of publishing are still those of the form where the server cannot be asked', async () => {
    server.on(publishCampaign, () => Promise.reject(new TypeError('Failed to fetch')))
    await open({}, '/campaign/create')
    await publish()
    expect(await lines()).toEqual(['Country: Field is required.'])
  })

  it('faults of publishing are about saving where a save was asked for', async () => {
    await open({}, '/campaign/create')
    await userEvent.click(screen.getByRole('button', { name: 'Save & Next' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Fix 1 thing to save')
  })

  it('faults of publishing bring their field into the middle of the window, clear of messages at its edge', async () => {
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

/** Answer of a dry run; `diff` are paths. */
const trial = (patch: Partial<DryRun> = {}): DryRun => ({
  events: [{ type: 'CampaignSubmitted', data: {} }],
  diff: [],
  status_key: 1,
  status_reasons: [],
  revision: 4,
  moderator_needed: true,
  ...patch,
})
const answering = (dry: DryRun, patch: Partial<Campaign> = {}) =>
  server.on(publishCampaign, ({ query }) => (query.has('dry_run') ? dry : answered(patch)))
const sheet = () => screen.findByRole('dialog', { name: 'Review and publish' })
const confirm = async (name = 'Publish') => userEvent.click(within(await sheet()).getByRole('button', { name }))

describe('publishing', () => {
  it('a campaign without changes says that there is nothing to publish, and stays', async () => {
    answering(trial({ events: [] }), { revision: 3, status_key: 3 })
    const { address } = await open({ status_key: 3, review: 'approved' })
    await publish()
    await waitFor(() => expect(info).toHaveBeenCalledWith('Nothing to publish: there are no changes.'))
    expect(success).not.toHaveBeenCalled()
    expect(address()).toContain('/campaign/edit/campaign-1')
  })

  it('shows first what it would do, and Enter is enough to do it', async () => {
    server.on(balance, () => fundsOf(5000))
    answering(trial())
    const { address } = await open()
    await publish()
    expect(await sheet()).toHaveTextContent(/Waits for review.*The campaign starts when it is approved/)
    expect(published()).toHaveLength(0)
    expect(within(await sheet()).getByRole('button', { name: 'Publish' })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(address()).toBe('/campaigns'))
    expect(published()).toHaveLength(1)
  })

  it('goes back to the form, and publishes nothing', async () => {
    answering(trial())
    const { address } = await open()
    await publish()
    await confirm('Keep editing')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole('button', { name: 'Publish' })).toHaveFocus()
    expect(published()).toHaveLength(0)
    expect(address()).toContain('/campaign/edit/campaign-1')
  })

  it('says what it costs a day and a month, and how long the balance lasts', async () => {
    server.on(balance, () => fundsOf(5000))
    answering(trial())
    await open({ budget: 20 })
    await publish()
    const shown = await sheet()
    await waitFor(() => expect(shown).toHaveTextContent('Account balance$5,000.00pays for 250 days of this campaign'))
    expect(shown).toHaveTextContent('At most a day$20.00')
    expect(shown).toHaveTextContent('At most a month$600.0030 days')
  })

  it('warns when the balance does not cover the daily budget', async () => {
    server.on(balance, () => fundsOf(5000))
    answering(trial())
    const { address } = await open({ budget: 90_000, daily_budget_spent: 1000 })
    await publish()
    const shown = await sheet()
    await waitFor(() => expect(shown).toHaveTextContent(/account balance is \$5,000\.00.* may still spend \$89,000\.00 today/))
    await confirm('Publish anyway')
    await waitFor(() => expect(address()).toBe('/campaigns'))
    expect(published()).toHaveLength(1)
  })

  it.each([
    ['covers what is left of the total budget', { budget: 20, budget_type_key: 1, budget_spent: 15 }, fundsOf(5)],
    ['covers the budget', {}, fundsOf(20)],
    ['cannot be read', {}, refusal(3, 403)],
  ] as const)('warns of nothing when the balance %s', async (_, patch, answer) => {
    server.on(balance, () => answer)
    answering(trial())
    const { address } = await open(patch)
    await publish()
    await sheet()
    await waitFor(() => expect(server.calls(balance).length).toBeGreaterThan(0))
    expect(screen.queryByRole('list', { name: 'Worth checking' })).toBeNull()
    await confirm()
    await waitFor(() => expect(address()).toBe('/campaigns'))
  })

  it('tells what goes live at once from what waits for review', async () => {
    answering(
      trial({
        diff: [
          { path: 'budget', from: 10, to: 20 },
          { path: 'product_url', from: 'https://a.example', to: 'https://b.example' },
        ],
      }),
    )
    await open({ status_key: 3, review: 'approved', approved_version: 2 })
    await publish()
    const shown = await sheet()
    expect(shown).toHaveTextContent('Part of it waits for review')
    const part = (name: string) => within(shown).getByRole('heading', { name }).parentElement
    expect(part('At once')).toHaveTextContent('Budget')
    expect(part('After review')).toHaveTextContent('https://b.example')
    expect(part('At once')).not.toHaveTextContent('b.example')
  })

  it('leads from a concern to its field', async () => {
    answering(trial())
    await open({ product_url: 'http://shop.example' })
    await publish()
    await userEvent.click(within(await sheet()).getByRole('button', { name: 'Change' }))
    await waitFor(() => expect(screen.getByLabelText('Landing page URL')).toHaveFocus())
    expect(published()).toHaveLength(0)
  })

  it('lists what the server refuses, and opens no sheet', async () => {
    server.on(publishCampaign, () => refusal(1301, 400, [{ path: 'visuals.banners', code: 135, message: '', key: 'needBanner' }]))
    await open()
    await publish()
    expect(await screen.findByRole('alert')).toHaveTextContent('At least one banner is needed')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('happens once, however often the button is pressed', async () => {
    let tell: (answer: DryRun) => void = () => {}
    server.on(publishCampaign, ({ query }) => (query.has('dry_run') ? new Promise((resolve) => (tell = resolve)) : answered()))
    const { address } = await open()
    await publish()
    await userEvent.click(screen.getByRole('button', { name: 'Publishing…' }))
    await waitFor(() => expect(server.calls(publishCampaign)).toHaveLength(1))
    tell(trial())
    await confirm()
    await waitFor(() => expect(address()).toBe('/campaigns'))
    expect(published()).toHaveLength(1)
  })
})

describe('a campaign with an approved version', () => {
  it('marks its reviewed fields, and says what the mark means', async () => {
    await open({ status_key: 3, review: 'approved', approved_version: 2 })
    const hintOf = (label: string) => screen.getByLabelText(label).closest('[data-slot=field]')
    await waitFor(() => expect(hintOf('Landing page URL')).toHaveTextContent('Reviewed'))
    expect(hintOf('Goal')).toHaveTextContent(/Objective: Awareness · Reviewed/)
    expect(hintOf('Daily budget')).not.toHaveTextContent('Reviewed')
    expect(screen.getByText(/^Fields with this mark are reviewed/)).toBeVisible()
  })

  it('a campaign has no marks before a version is approved', async () => {
    await open()
    expect(screen.queryByText('Reviewed')).toBeNull()
  })
})
