import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, within } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { sessionQueries } from '@/session/session-queries'
import { PERSON } from '@/test/fake-server'
import { serve } from '@/test/server'
import { CampaignForm } from './campaign-form.tsx'
import { campaignWith } from '@/test/campaign-form'
import type { TabKey } from './form-tabs.ts'

const ADA = { ...PERSON, last_name: 'Hassan', space_name: 'Nile', balance: 0 }

async function open(campaign: Campaign, tab: TabKey) {
  cleanup()
  serve({})
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  client.setQueryData(sessionQueries.me().queryKey, ADA)
  const page = () => (
    <Suspense>
      <CampaignForm base={campaign} tab={tab} withLog={false} />
    </Suspense>
  )
  const router = createRouter({ routeTree: createRootRoute({ component: page }), history: createMemoryHistory() })
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return screen.findByRole('navigation', { name: 'Form sections' })
}

const strategy = (goal: string | null) => ({ ...campaignWith({}).bidding_strategy, type: 'awareness', goal })
const withGoal = (goal: string | null) => campaignWith({ country: 'EG', bidding_strategy: strategy(goal) })

afterEach(() => vi.unstubAllGlobals())

describe('the margin beside the sections of the form', () => {
  // covers CAM-NAV-18
  it.each(['basicInfo', 'targeting', 'bannerAds', 'geography'] as const)('stands the gauge on %s', async (tab) => {
    const nav = await open(withGoal('REACH'), tab)
    const beside = nav.parentElement ?? nav
    expect(await within(beside).findByRole('meter', { name: 'Audience size' })).toBeInTheDocument()
  })

  it('the spots of an audio campaign stand beside the sections of the form', async () => {
    await open(withGoal('AUDIO_ADVERTISING'), 'basicInfo')
    expect(await screen.findByRole('region', { name: 'Estimated audio ad spots' })).toBeVisible()
    expect(screen.queryByRole('meter')).toBeNull()
  })
})

describe('the group "Advanced"', () => {
  const advanced = (nav: HTMLElement) => within(nav).queryByRole('button', { name: 'Advanced' })

  // covers CAM-FORM-13 CAM-FORM-16 CAM-FORM-17 CAM-FORM-18
  it('holds frequency and schedule, placements and geography', async () => {
    const nav = await open(withGoal('REACH'), 'basicInfo')
    expect(advanced(nav)).toBeVisible()
    for (const name of [/Frequency & schedule/, /Placements/, /Geography/])
      expect(within(nav).getByRole('link', { name })).toBeVisible()
  })

  // covers CAM-FORM-14
  it('the group "Advanced" is not there while there is no goal', async () => {
    expect(advanced(await open(withGoal(null), 'basicInfo'))).toBeNull()
  })

  // covers CAM-FORM-15
  it('the group "Advanced" is not there for audio', async () => {
    expect(advanced(await open(withGoal('AUDIO_ADVERTISING'), 'basicInfo'))).toBeNull()
  })
})
