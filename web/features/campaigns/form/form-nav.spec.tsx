import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { campaignWith } from '@/test/campaign-form'
import { emptyForm, toForm } from './form-mapping.ts'
import { FormNav } from './form-nav.tsx'
import type { CampaignFormValues } from './form-schema.ts'
import { nextTab, tabsFor, type TabContext, type TabKey } from './form-tabs.ts'
import { badgesOf } from './use-badges.ts'

const OWNER: TabContext = { readsOwnerFields: true, audio: false, goal: true, withLog: true }

type Shown = {
  readonly tab?: TabKey
  readonly faulty?: readonly TabKey[]
  readonly values?: CampaignFormValues
  readonly campaign?: Campaign
  readonly changes?: number
}

async function open(shown: Shown) {
  cleanup()
  const { tab = 'basicInfo', faulty = [], values = emptyForm('awareness'), campaign = null, changes = null } = shown
  const nav = () => (
    <FormNav tab={tab} context={OWNER} faulty={new Set(faulty)} badges={badgesOf(values, campaign, 'ON', changes)} />
  )
  const router = createRouter({ routeTree: createRootRoute({ component: nav }), history: createMemoryHistory() })
  render(<RouterProvider router={router as never} />)
  return screen.findByRole('navigation', { name: 'Form sections' })
}

const empty = emptyForm('awareness')
const link = (nav: HTMLElement, name: RegExp) => within(nav).getByRole('link', { name, hidden: true })
const group = (nav: HTMLElement, name: string) => within(nav).getByRole('button', { name })

const decided = (status: 'approved' | 'pending' | 'disapproved') => ({
  dealsPolicyCompliance: { status, topics: [] },
  networkPolicyCompliance: { status: 'approved' as const, topics: [] },
  platformPolicyCompliance: { status: 'approved' as const, topics: [] },
})

describe('groups of the navigation', () => {
  // covers CAM-NAV-01
  it('groups of the navigation open and close', async () => {
    const nav = await open({})
    const advanced = group(nav, 'Advanced')
    expect(link(nav, /Geography/)).toBeVisible()
    await userEvent.click(advanced)
    expect(advanced).toHaveAttribute('aria-expanded', 'false')
    expect(link(nav, /Geography/)).not.toBeVisible()
    await userEvent.click(advanced)
    expect(link(nav, /Geography/)).toBeVisible()
  })

  const closed = async (before: Shown, after: Shown) => {
    const draw = ({ tab = 'basicInfo', faulty = [] }: Shown) => (
      <FormNav tab={tab} context={OWNER} faulty={new Set(faulty)} badges={{}} />
    )
    let redraw = (_: Shown) => {}
    const Page = () => {
      const [shown, setShown] = useState(before)
      redraw = setShown
      return draw(shown)
    }
    const router = createRouter({ routeTree: createRootRoute({ component: Page }), history: createMemoryHistory() })
    render(<RouterProvider router={router as never} />)
    const nav = await screen.findByRole('navigation')
    await userEvent.click(group(nav, 'Creatives'))
    expect(group(nav, 'Creatives')).toHaveAttribute('aria-expanded', 'false')
    act(() => redraw(after))
    return group(nav, 'Creatives')
  }

  // covers CAM-NAV-02
  it('groups of the navigation open by themselves when something in them is wrong', async () => {
    expect(await closed({}, { faulty: ['nativeAds'] })).toHaveAttribute('aria-expanded', 'true')
  })

  // covers CAM-NAV-03
  it('groups of the navigation open by themselves when something in them is chosen', async () => {
    expect(await closed({}, { tab: 'videoAds' })).toHaveAttribute('aria-expanded', 'true')
  })

  it('groups of the navigation stay closed while nothing new happens in them', async () => {
    expect(await closed({ tab: 'videoAds' }, { tab: 'videoAds', faulty: ['targeting'] })).toHaveAttribute(
      'aria-expanded',
      'false',
    )
  })
})

describe('marks beside the entries of the navigation', () => {
  // covers CAM-NAV-04
  it('an entry of the form’s navigation shows that something is wrong', async () => {
    const nav = await open({ faulty: ['placement'] })
    expect(link(nav, /Placements.*has errors/)).toBeVisible()
    expect(link(nav, /Geography/)).not.toHaveTextContent('has errors')
  })

  // covers CAM-NAV-05
  it('an entry of the form’s navigation shows ON for targeting by hand', async () => {
    expect(
      link(await open({ values: { ...empty, targeting: { ...empty.targeting, automatic: false } } }), /Targeting/),
    ).toHaveTextContent('ON')
  })

  it('an entry of the form’s navigation shows nothing for automatic targeting', async () => {
    expect(
      link(await open({ values: { ...empty, targeting: { ...empty.targeting, automatic: true } } }), /Targeting/),
    ).toHaveTextContent(/^Targeting$/)
  })

  // covers CAM-NAV-06
  it('an entry of the form’s navigation shows how many bidding entries there are', async () => {
    const entry = { id: 1, name: 'One', multiplier: '1', rules: { condition: 'and' as const, rules: [] } }
    const values = { ...empty, bidding: { entries: [entry, { ...entry, id: 2 }] } }
    expect(link(await open({ values }), /Advanced bidding/)).toHaveTextContent('Advanced bidding2')
  })

  // covers CAM-NAV-07 CAM-NAV-09 CAM-NAV-11
  it('an entry of the form’s navigation shows ON for each type of ad that is switched on', async () => {
    const on = { enabled: true }
    const values = {
      ...empty,
      responsive: { ...empty.responsive, ...on },
      native: { ...empty.native, ...on },
      video: { ...empty.video, ...on },
    }
    const nav = await open({ values })
    for (const name of [/Responsive ads/, /Native ads/, /Video ads/]) expect(link(nav, name)).toHaveTextContent('ON')
  })

  const ads = (status: 'approved' | 'pending' | 'disapproved') => {
    const creativeServingDecision = decided(status)
    const base = campaignWith({})
    return {
      ...base,
      dynamic_ad_enabled: true,
      native_ad_enabled: true,
      video_ad_enabled: true,
      dynamic_ad: { creativeServingDecision },
      native_ad: { creativeServingDecision },
      video_ad: { creativeServingDecision },
    } as unknown as Campaign
  }
  const switchedOn = {
    ...empty,
    responsive: { ...empty.responsive, enabled: true },
    native: { ...empty.native, enabled: true },
    video: { ...empty.video, enabled: true },
  }

  // covers CAM-NAV-08 CAM-NAV-10 CAM-NAV-12 CAM-APR-07
  it('a warning is shown for an ad that an exchange has refused', async () => {
    const nav = await open({ values: switchedOn, campaign: ads('disapproved') })
    for (const name of [/Responsive ads/, /Native ads/, /Video ads/]) {
      expect(link(nav, name)).toHaveTextContent('refused by an exchange')
      expect(link(nav, name)).not.toHaveTextContent('ON')
    }
  })

  // covers CAM-APR-08
  it('an entry of the form’s navigation shows that an exchange has yet to decide', async () => {
    const nav = await open({ values: switchedOn, campaign: ads('pending') })
    expect(link(nav, /Video ads/)).toHaveTextContent('in review')
    expect(link(await open({ values: switchedOn, campaign: ads('approved') }), /Video ads/)).not.toHaveTextContent('in review')
  })

  const banner = { id: null, width: 300, height: 250, fileId: 'f', url: null, creativeName: 'a' }

  // covers CAM-NAV-13
  it('an entry of the form’s navigation shows how many banners there are', async () => {
    expect(link(await open({ values: { ...empty, banners: [banner, banner, banner] } }), /Banner ads/)).toHaveTextContent(
      'Banner ads3',
    )
  })

  // covers CAM-NAV-14
  it('a warning is shown in place of the number when an exchange has refused a banner', async () => {
    const stored = { ...campaignWith({}), visuals: { banners: [{ id: 'b', creativeServingDecision: decided('disapproved') }] } }
    const campaign = stored as unknown as Campaign
    const kept = { ...empty, banners: [banner, { ...banner, id: 'b' }] }
    expect(link(await open({ values: kept, campaign }), /Banner ads/)).toHaveTextContent('Banner adsrefused by an exchange')
    // Removed, it weighs no longer, though the stored campaign still has it.
    expect(link(await open({ values: { ...empty, banners: [banner] }, campaign }), /Banner ads/)).toHaveTextContent('Banner ads1')
  })

  // covers CAM-NAV-15
  it('an entry of the form’s navigation shows ON when there is a chosen hour', async () => {
    const scheduling = { ...empty.frequency.scheduling, '3': ['09'] }
    expect(
      link(await open({ values: { ...empty, frequency: { ...empty.frequency, scheduling } } }), /Frequency/),
    ).toHaveTextContent('ON')
  })

  // covers CAM-NAV-16
  it('an entry of the form’s navigation shows ON when placements are not the initial ones', async () => {
    expect(
      link(await open({ values: { ...empty, placement: { ...empty.placement, environment: 'app' } } }), /Placements/),
    ).toHaveTextContent('ON')
    expect(link(await open({ values: toForm(campaignWith({})) }), /Placements/)).not.toHaveTextContent('ON')
  })

  it('an entry of the form’s navigation shows how many changes there were', async () => {
    expect(link(await open({ changes: 12 }), /Change log/)).toHaveTextContent('Change log12')
  })
})

describe('the sections of the form', () => {
  const names = (context: Partial<TabContext>) => tabsFor({ ...OWNER, ...context }).map(({ key }) => key)

  it('the owner’s sections are there only for users who read the owner’s fields', () => {
    expect(names({ readsOwnerFields: false })).not.toContain('administration')
    expect(names({})).toContain('advancedBidding')
  })

  it('an audio campaign has tracks, and neither other ads nor advanced sections', () => {
    expect(names({ audio: true })).toEqual(['administration', 'advancedBidding', 'basicInfo', 'targeting', 'tracks', 'changeLog'])
  })

  it('advanced sections come with the goal', () => {
    expect(names({ goal: false })).not.toContain('frequency')
  })

  it('Save & Next leads through every section that can be edited, and ends', () => {
    const seen: TabKey[] = []
    for (let tab: TabKey | null = 'administration'; tab !== null; tab = nextTab(tab, OWNER)) seen.push(tab)
    expect(seen).toEqual(names({}).filter((key) => key !== 'changeLog'))
  })
})
