import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { revisionCount } from '#contract/audit'
import { getCampaign } from '#contract/campaign'
import { campaignTotal } from '#contract/reports'
import { signedInServer, type FakeServer, READ_AT } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { campaignWith } from '@/test/campaign-form'
import type { TabKey } from './form-tabs.ts'

let server: FakeServer
const as = (role: string) => {
  server = signedInServer({ role })
}
beforeEach(() => as('USER_OWNER'))

const goalOf = (goal: string | null, type = 'awareness') => ({
  bidding_strategy: { ...campaignWith({}).bidding_strategy, type, goal },
})
const VISUAL = goalOf('MAXIMIZED_REACH')
const AUDIO = goalOf('AUDIO_ADVERTISING', 'other')

const sections = () => screen.findByRole('navigation', { name: 'Form sections' })
const names = async () =>
  within(await sections())
    .getAllByRole('link')
    .map(({ textContent }) => textContent)
const button = (name: string) => screen.getByRole('button', { name })

async function edit(tab: TabKey, patch: Partial<Campaign> = VISUAL) {
  server.on(getCampaign, () => campaignWith({ id: 'campaign-1', name: 'Autumn', ...patch }))
  server.on(revisionCount, () => 3)
  const page = renderRoute(`/campaign/edit/campaign-1?tab=${tab}`)
  await sections()
  return page
}

describe('the sections of the form', () => {
  // covers CAM-NAV-17
  it('the sections of the form name the number of changes that the server counts', async () => {
    as('WL_OWNER')
    await edit('basicInfo')
    await waitFor(() => expect(screen.getByRole('link', { name: /Change log/ })).toHaveTextContent('Change log3'))
    expect(server.calls(revisionCount).map(({ params }) => params['id'])).toEqual(['campaign-1'])
  })

  // covers CAM-FORM-01 CAM-FORM-03 CAM-FORM-04 CAM-ADM-22
  it('the sections of the form have, for the owner, Administration with the owner’s fields and advanced bidding', async () => {
    as('WL_OWNER')
    await edit('administration')
    expect(within(await sections()).getByRole('button', { name: 'Administration' })).toBeVisible()
    expect((await names()).slice(0, 2)).toEqual(['Owner fields', 'Advanced bidding'])
    expect(await screen.findByLabelText('Account manager')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Owner fields' })).toHaveAttribute('aria-current', 'page')
    expect(screen.getByLabelText('Margin')).toBeVisible()
    await userEvent.click(screen.getByRole('link', { name: 'Advanced bidding' }))
    expect(await screen.findByRole('heading', { name: 'Advanced bidding' })).toBeVisible()
  })

  // covers CAM-FORM-02 CAM-ROLE-16
  it.each(['basicInfo', 'administration', 'advancedBidding'] as const)(
    'the sections of the form have nothing of it for an advertiser, who asked for %s',
    async (tab) => {
      await edit(tab)
      expect(await screen.findByLabelText('Campaign name')).toBeVisible()
      expect(document.body).not.toHaveTextContent(/Administration|Owner fields|Advanced bidding/i)
    },
  )

  it('the sections of the form have, for a moderator, Administration, and the change log and the timeline to read', async () => {
    as('WL_MODERATOR')
    await edit('administration')
    expect((await names()).slice(0, 2)).toEqual(['Owner fields', 'Advanced bidding'])
    expect((await names()).slice(-2)).toEqual([expect.stringContaining('Change log'), 'Timeline'])
    expect(await screen.findByLabelText('Account manager')).toHaveAttribute('readonly')
  })

  // covers CAM-FORM-20
  it('the sections of the form have, for the owner, the change log and the timeline', async () => {
    as('WL_OWNER')
    await edit('basicInfo')
    expect((await names()).slice(-2)).toEqual([expect.stringContaining('Change log'), 'Timeline'])
  })

  it('the sections of the form show the campaign of then, which nothing changes, and keep the moment', async () => {
    as('WL_OWNER')
    server.on(getCampaign, ({ query }) =>
      campaignWith({ id: 'campaign-1', name: query.get('as_of') === null ? 'Autumn' : 'Spring', revision: 3, ...VISUAL }),
    )
    const { router } = renderRoute('/campaign/edit/campaign-1?tab=basicInfo&as_of=2026-03-01T10%3A00%3A00.000Z')
    expect(await screen.findByLabelText('Campaign name')).toHaveValue('Spring')
    expect(server.calls(getCampaign)[0]?.query.get('as_of')).toBe('2026-03-01T10:00:00.000Z')
    expect(await screen.findByRole('note')).toHaveTextContent('As it was on Mar 01, 2026')
    expect(screen.getByLabelText('Campaign name')).toHaveAttribute('readonly')
    expect(screen.queryByRole('button', { name: /Save|Publish/ })).toBeNull()
    expect(await names()).not.toContain('Change log')
    await userEvent.click(within(await sections()).getByRole('link', { name: /^Targeting/ }))
    expect(router.state.location.search).toMatchObject({ tab: 'targeting', as_of: '2026-03-01T10:00:00.000Z' })
    await userEvent.click(screen.getByRole('link', { name: 'As it is now' }))
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty('as_of'))
    expect(await screen.findByRole('heading', { name: 'Autumn' })).toBeVisible()
  })

  // covers CAM-FORM-21
  it('the sections of the form have no change log for an advertiser, who asked for it', async () => {
    await edit('changeLog')
    expect(await screen.findByLabelText('Campaign name')).toBeVisible()
    expect(document.body).not.toHaveTextContent('Change log')
  })

  // covers CAM-FORM-06 CAM-FORM-07 CAM-FORM-09..12
  it('the sections of a campaign with ads to look at are setup, targeting, four kinds of creatives and advanced', async () => {
    await edit('basicInfo')
    const nav = await sections()
    for (const group of ['Creatives', 'Advanced']) expect(within(nav).getByRole('button', { name: group })).toBeVisible()
    expect((await names()).map((name) => name?.replace(/ON$/, ''))).toEqual([
      'Campaign setup',
      'Targeting',
      'Responsive ads',
      'Banner ads',
      'Native ads',
      'Video ads',
      'Frequency & schedule',
      'Placements',
      'Geography',
    ])
  })

  // covers CAM-FORM-08 CAM-FORM-50
  it('the sections of the form have, for audio, Tracks in place of creatives', async () => {
    await edit('tracks', AUDIO)
    expect(await names()).toEqual(['Campaign setup', expect.stringMatching(/^Targeting/), 'Tracks'])
    expect(within(await sections()).queryByRole('button', { name: 'Creatives' })).toBeNull()
    expect(await screen.findByRole('region', { name: 'Uploaded tracks' })).toBeVisible()
  })

  it.each([
    ['dynamicAds', 'Responsive ads'], // covers CAM-FORM-47
    ['bannerAds', 'Banner ads'], // covers CAM-FORM-48
  ] as const)('the sections of the form open as the address says: %s', async (tab, heading) => {
    await edit(tab)
    expect(await screen.findByRole('heading', { name: heading })).toBeVisible()
  })

  // covers CAM-FORM-49
  it('the sections of the form show a native ad as it is being written', async () => {
    await edit('nativeAds')
    await userEvent.click(await screen.findByRole('switch', { name: 'Show these ads' }))
    await userEvent.type(await screen.findByLabelText(/^Headline/), 'Nile sunrise')
    expect(within(screen.getByRole('complementary', { name: 'Preview' })).getAllByText('Nile sunrise')[0]).toBeVisible()
  })
})

describe('the footer', () => {
  // covers CAM-FORM-22 CAM-FORM-23 CAM-FORM-25
  it('the footer has Cancel, Save & Next and Publish', async () => {
    await edit('basicInfo')
    for (const name of ['Cancel', 'Save & Next', 'Publish']) expect(button(name)).toBeVisible()
  })

  // covers CAM-FORM-24
  it.each([
    ['geography', VISUAL],
    ['tracks', AUDIO],
  ] as const)('says Save on the last section: %s', async (tab, patch) => {
    await edit(tab, patch)
    expect(button('Save')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Save & Next' })).toBeNull()
  })

  it('the footer is not under the change log, nor there for those who may only read', async () => {
    as('AUDITOR')
    await edit('basicInfo')
    expect(screen.queryByRole('button', { name: 'Publish' })).toBeNull()
  })
})

describe('the breadcrumb', () => {
  const trail = () => within(screen.getByRole('navigation', { name: 'Breadcrumb' }))

  // covers CAM-FORM-26
  it('the breadcrumb of a campaign reads Campaigns, then its name', async () => {
    await edit('basicInfo')
    expect(trail().getByRole('link', { name: 'Campaigns' })).toHaveAttribute('href', '/campaigns')
    expect(trail().getByRole('heading', { name: 'Autumn' })).toBeVisible()
  })

  // covers CAM-FORM-27
  it('the breadcrumb of a campaign that is not stored yet reads New campaign', async () => {
    renderRoute('/campaign/create')
    await sections()
    expect(trail().getByRole('heading', { name: 'New campaign' })).toBeVisible()
  })
})

describe('the performance strip', () => {
  const figures = () => screen.queryByText('Impressions')
  const total = () =>
    server.on(campaignTotal, () => ({
      current_period_clicks: 12,
      current_period_impressions: 4800,
      current_period_spent: 9.5,
      ...READ_AT,
      currency: 'USD',
    }))

  // covers CAM-FORM-28
  it('stands above the form of a running campaign', async () => {
    total()
    await edit('targeting', { ...VISUAL, status_key: 3 })
    expect(await screen.findByText('4,800')).toBeVisible()
    expect(figures()).toBeVisible()
  })

  // covers CAM-FORM-29
  it.each([
    ['rejected', 2], // covers CAM-FORM-53
    ['a draft', 0], // covers CAM-FORM-54
    ['waiting for an exchange', 6], // covers CAM-FORM-55
    ['in moderation', 1], // covers CAM-FORM-56
  ])('the performance strip is not on the setup of a campaign that is %s', async (_, status_key) => {
    total()
    const { router } = await edit('basicInfo', { ...VISUAL, status_key })
    expect(server.calls(campaignTotal)).toHaveLength(0)
    expect(figures()).toBeNull()
    await router.navigate({ to: '.', search: { tab: 'targeting' } } as never)
    // A draft has no figures on any section (performance-strip.spec.tsx).
    if (status_key !== 0) expect(await screen.findByText('Clicks')).toBeVisible()
  })
})
