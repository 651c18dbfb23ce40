import { describe, expect, it } from 'vitest'
import { campaignWith } from '@/test/campaign-form'
import { costOf, fundingOf, outcomeOf, splitChanges } from './review-facts.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const total = campaignWith({ budget_type_key: 1, budget_spent: 30 })

describe('the cost of a publication', () => {
  it.each([
    [{ budget: 50 }, { kind: 'daily', budget: 50, month: 1500, whole: null }],
    [
      { budget: 50, campaign_end_at: '2026-03-04T11:59:59Z' },
      { kind: 'daily', budget: 50, month: 1500, whole: 150 },
    ],
    [
      { budget: 50, campaign_start_at: '2026-03-03T12:00:00Z', campaign_end_at: '2026-03-05T12:00:00Z' },
      { kind: 'daily', budget: 50, month: 1500, whole: 100 },
    ],
    // Already over: the day that has begun still costs.
    [
      { budget: 50, campaign_end_at: '2026-02-01T00:00:00Z' },
      { kind: 'daily', budget: 50, month: 1500, whole: 50 },
    ],
  ] as const)('the cost of a publication: %o', (body, cost) => {
    expect(costOf(body, null, NOW)).toEqual(cost)
  })

  it('the cost of a publication is the budget itself where it is for the whole campaign, and unknown without one', () => {
    expect(costOf({ budget: 90 }, total, NOW)).toEqual({ kind: 'total', budget: 90, month: null, whole: 90 })
    expect(costOf({}, null, NOW)).toBeNull()
  })

  it('the cost of a publication is held against what the balance pays for', () => {
    const daily = { kind: 'daily', budget: 50, month: 1500, whole: null } as const
    expect(fundingOf(daily, null, 175)).toEqual({ short: false, left: 50, days: 3 })
    expect(fundingOf(daily, null, 49)).toEqual({ short: true, left: 50, days: 0 })
    expect(fundingOf(daily, campaignWith({ daily_budget_spent: 20 }), 49)).toEqual({ short: false, left: 30, days: 0 })
    expect(fundingOf({ kind: 'total', budget: 90, month: null, whole: 90 }, total, 60)).toEqual({
      short: false,
      left: 60,
      days: null,
    })
  })
})

describe('the material that waits for review', () => {
  it.each([
    [null, true, 'new'],
    [campaignWith({ approved_version: null }), true, 'new'],
    [campaignWith({ approved_version: 3 }), true, 'waits'],
    [campaignWith({ approved_version: 3 }), false, 'live'],
  ] as const)('the material that waits for review: %#: %s', (campaign, moderator_needed, outcome) => {
    expect(outcomeOf(campaign, { moderator_needed })).toBe(outcome)
  })

  it('the material that waits for review is what is reviewed and is not taken away', () => {
    const changes = [
      { path: 'budget', from: 1, to: 2 },
      { path: 'visuals.banners[b1]', from: { id: 'b1' }, to: null },
      { path: 'visuals.banners[b2]', from: null, to: { id: 'b2' } },
      { path: 'native_ad.headline', from: 'a', to: 'b' },
      { path: 'video_ad_enabled', from: true, to: false },
      { path: 'native_ad.price', from: '20', to: null },
      { path: 'bidding_strategy.app_promotion', from: null, to: {} },
    ]
    const paths = (part: readonly { readonly path: string }[]) => part.map(({ path }) => path)
    const { live, waiting } = splitChanges(changes, 'waits')
    expect(paths(live)).toEqual(['budget', 'visuals.banners[b1]', 'video_ad_enabled'])
    expect(paths(waiting)).toEqual([
      'visuals.banners[b2]',
      'native_ad.headline',
      'native_ad.price',
      'bidding_strategy.app_promotion',
    ])
    expect(splitChanges(changes, 'live').waiting).toEqual([])
  })
})
