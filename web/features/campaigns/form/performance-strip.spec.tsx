import { READ_AT } from '@/test/fake-server'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { campaignQueries } from '@/data/campaign-queries'
import type { TabKey } from './form-tabs.ts'
import { PerformanceStrip } from './performance-strip.tsx'

const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
beforeEach(() =>
  client.setQueryData(campaignQueries.total('c1').queryKey, {
    current_period_clicks: 12,
    current_period_impressions: 4800,
    current_period_spent: 9.5,
    ...READ_AT,
    currency: 'NGN',
  }),
)

const shown = (status_key: number, tab: TabKey) =>
  render(
    <QueryClientProvider client={client}>
      <PerformanceStrip campaign={{ id: 'c1', status_key }} tab={tab} />
    </QueryClientProvider>,
  ).container

describe('the performance strip', () => {
  // covers CAM-LIST-54 CAM-LIST-55 CAM-LIST-56
  it('shows what the campaign did since it began, in the currency of its account', () => {
    const strip = shown(3, 'basicInfo')
    expect(screen.getByText('Clicks').nextSibling).toHaveTextContent('12')
    expect(screen.getByText('Impressions').nextSibling).toHaveTextContent('4,800')
    expect(screen.getByText('CTR').nextSibling).toHaveTextContent('0.25%')
    expect(strip).toHaveTextContent('₦9.50')
  })

  // covers CAM-LIST-64 CAM-LIST-65 CAM-LIST-66
  it('shows only clicks while the campaign is in moderation', () => {
    expect(shown(1, 'bannerAds')).toHaveTextContent(/^Clicks12$/)
  })

  it('the performance strip is not on any section of a draft', () => {
    expect(shown(0, 'basicInfo')).toBeEmptyDOMElement()
    expect(shown(0, 'bannerAds')).toBeEmptyDOMElement()
  })

  it.each([1, 2, 6])('the performance strip is not on the setup of a campaign of status %i', (status) => {
    expect(shown(status, 'basicInfo')).toBeEmptyDOMElement()
    expect(shown(status, 'bannerAds')).not.toBeEmptyDOMElement()
  })

  it('the performance strip is not above the change log', () => expect(shown(3, 'changeLog')).toBeEmptyDOMElement())
})
