import { describe, expect, it } from 'vitest'
import { diff } from '#domain/kit/json-changes'
import { DEFAULT_CONTENT } from '../content/content.ts'
import { shape, type CampaignPatch } from '../content/shape.ts'
import { goesBeyond, isReviewedChange, REVIEWED_PATHS, reviewedOf, sameReviewed, SWITCHES } from './reviewed.ts'

const shaped = (patch: CampaignPatch, from = DEFAULT_CONTENT) =>
  shape(from, patch, { mayWriteOwnerFields: false, countryOffset: null, newIds: [], now: '2026-06-01T00:00:00.000Z' }).content
const APPROVED = shaped({
  product_url: 'https://nile.example',
  budget: 20_000_000,
  native_ad_enabled: true,
  native_ad: { id: 'n', headline: 'Nile', price: '20', creative_name: 'nile' },
  audio_ads: [{ id: 'a', fileId: 'f7' }],
  visuals: { banners: [{ id: 'b', width: 300, height: 250, file_id: 'f8', creative_name: 'dawn' }] },
})

describe('changes of a campaign that are reviewed', () => {
  it.each([
    ...REVIEWED_PATHS,
    ...SWITCHES,
    'visuals.banners[b1].creative_name',
    'audio_ads[a.1]',
    'native_ad',
    'video_ad.companions[0].url',
    // Parents of reviewed fields, as a diff from nothing names them.
    'bidding_strategy',
    'bidding_strategy.website_promotion',
  ])('a change of a campaign that is reviewed: %s', (path) => {
    expect(isReviewedChange({ path, to: 'new' })).toBe(true)
  })

  it.each([
    'name',
    'budget',
    'campaign_end_at',
    'targeting.interests.include',
    'bidding_strategy.attribution',
    'native_adverts',
    'visual',
  ])('a change of %s is not reviewed', (path) => {
    expect(isReviewedChange({ path, to: 'new' })).toBe(false)
  })

  it.each([
    ['visuals.banners[b1]', null, false],
    ['audio_ads[a.1]', null, false],
    ['native_ad', null, false],
    ['video_ad_enabled', false, false],
    ['video_ad_enabled', true, true],
    // Emptied, it is another value than the approved one.
    ['product_url', null, true],
    ['native_ad.price', null, true],
    ['visuals.banners[b1].url', null, true],
  ] as const)('%s to %s: %s', (path, to, reviewed) => {
    expect(isReviewedChange({ path, to })).toBe(reviewed)
  })

  // covers FP-8
  it('agrees with what goes beyond the approved version, for each of its values alone', () => {
    const patches: readonly CampaignPatch[] = [
      { product_url: null },
      { product_url: 'https://other.example' },
      { budget: 5_000_000 },
      { name: 'Other' },
      { native_ad_enabled: false },
      { video_ad_enabled: true },
      { audio_ads: [] },
      { visuals: { banners: [] } },
      { visuals: { banners: [{ id: 'b', width: 300, height: 250, file_id: 'f9', creative_name: 'dawn' }] } },
    ]
    const changed = [
      ...patches.map((patch) => shaped(patch, APPROVED)),
      { ...APPROVED, native_ad: null },
      { ...APPROVED, native_ad: APPROVED.native_ad === null ? null : { ...APPROVED.native_ad, price: '' } },
    ]
    for (const after of changed) {
      const changes = diff(APPROVED, after)
      expect(changes.length).toBeGreaterThan(0)
      expect(changes.some(isReviewedChange), JSON.stringify(changes)).toBe(goesBeyond(reviewedOf(after), reviewedOf(APPROVED)))
    }
  })

  // covers FP-36
  it('a change that removes a creative is a change for 139, but does not go beyond the approved version', () => {
    const without = reviewedOf(shaped({ visuals: { banners: [] } }, APPROVED))
    expect(sameReviewed(without, reviewedOf(APPROVED))).toBe(false)
    expect(goesBeyond(without, reviewedOf(APPROVED))).toBe(false)
  })
})
