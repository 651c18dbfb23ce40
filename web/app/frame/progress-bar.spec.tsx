import { screen, waitFor } from '@testing-library/react'
import axe from 'axe-core'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { listCampaigns } from '#contract/campaign-list'
import { getCampaign } from '#contract/campaign'
import { campaignWith } from '@/test/campaign-form'
import { pageOf, signedInServer, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { fastTimers } from '@/test/time'

const bar = () => document.querySelector('[data-slot=progress-bar]')
const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent)

/** An answer that arrives on demand. */
function held<T>(answer: T) {
  let arrive = () => {}
  const promise = new Promise<T>((resolve) => {
    arrive = () => resolve(answer)
  })
  return { promise, arrive: () => arrive() }
}

describe('the progress bar while the page loads', () => {
  let server: FakeServer
  beforeEach(() => {
    server = signedInServer()
  })

  // covers CAM-FORM-30
  it('a bar is shown at the top of the page', async () => {
    const campaign = held(campaignWith({ name: 'Winter' }))
    server.on(getCampaign, () => campaign.promise)
    const { router } = renderRoute('/campaigns')
    await screen.findByText('No campaigns found')
    await waitFor(() => expect(bar()).toBeNull())
    void router.navigate({ to: '/campaign/edit/$id', params: { id: 'campaign-2' }, search: { tab: 'basicInfo' } })
    await waitFor(() => expect(bar()).toHaveClass('fixed', 'top-0'))
    campaign.arrive()
    expect(await screen.findByRole('heading', { name: 'Winter' })).toBeVisible()
    await waitFor(() => expect(bar()).toBeNull())
  })

  it('all content is inside landmarks, including the bar', async () => {
    const list = held(pageOf([]))
    server.on(listCampaigns, () => list.promise)
    renderRoute('/campaigns')
    await screen.findByRole('heading', { name: 'Campaigns' })
    expect(bar()).not.toBeNull()
    const { violations, passes } = await axe.run({ runOnly: ['region'] })
    expect(violations).toEqual([])
    expect(passes).toHaveLength(1)
  })

  it('screen readers hear a slow load, but not a background refresh', async () => {
    fastTimers()
    const list = held(pageOf([]))
    server.on(listCampaigns, () => list.promise)
    const { queryClient } = renderRoute('/campaigns')
    await screen.findByRole('heading', { name: 'Campaigns' })
    expect(said()).not.toContain('Loading')
    await waitFor(() => expect(said()).toContain('Loading'))
    list.arrive()
    await screen.findByText('No campaigns found')
    expect(said()).not.toContain('Loading')

    server.on(listCampaigns, () => new Promise(() => {}))
    void queryClient.invalidateQueries()
    await waitFor(() => expect(bar()).not.toBeNull())
    await vi.advanceTimersByTimeAsync(1500)
    expect(said()).not.toContain('Loading')
  })
})
