import { describe, expect, it } from 'vitest'
import type { ServerFault } from '@/data/app-error'
import { fieldOfPath, listErrors, placeFaults } from './form-faults.ts'
import { nextTab, tabOfField } from './form-tabs.ts'

const fault = (path: string, tab?: string): ServerFault => ({
  path,
  code: 2,
  message: path,
  ...(tab === undefined ? {} : { tab }),
})
const banners = [{ id: 'b-1' }, { id: null }]
const everyone = { readsOwnerFields: false, audio: false, goal: true, withLog: true }

describe('a fault of the server', () => {
  it.each([
    ['name', 'name'],
    ['campaign_end_at', 'endDate'],
    ['product_url', 'productUrl'],
    ['bidding_strategy.click_url', 'productUrl'],
    ['bidding_strategy.website_promotion.conversion_url', 'goalFields.conversionUrl'],
    ['visuals.banners', 'banners'],
    ['visuals.banners[b-1].creative_name', 'banners.0.creativeName'],
    ['visuals.banners[1].file_id', 'banners.1.creativeName'],
    ['visuals.banners[7].creative_name', 'banners'],
    ['targeting.regions', null],
  ])('a fault of the server at %s is shown at %s', (path, field) => {
    expect(fieldOfPath(path, { banners })).toBe(field)
  })

  it('opens the first faulty tab, and is named once per field', () => {
    const placed = placeFaults(
      [
        fault('targeting.regions', 'targeting'),
        fault('visuals.banners'),
        fault('product_url'),
        fault('bidding_strategy.click_url'),
      ],
      { banners },
    )
    expect(placed.map(({ field, tab }) => [field, tab])).toEqual([
      ['productUrl', 'basicInfo'],
      [null, 'targeting'],
      ['banners', 'bannerAds'],
    ])
  })
})

describe('errors of the form', () => {
  it('errors of the form are listed flat, tab by tab', () => {
    const errors = {
      banners: [undefined, { creativeName: { type: 'too_small', message: 'creativeNameRequired' } }],
      goalFields: { conversionUrl: { type: 'custom', message: 'url' } },
      name: { type: 'server', message: 'taken' },
    }
    expect(listErrors(errors).map(({ field, tab }) => [field, tab])).toEqual([
      ['name', 'basicInfo'],
      ['goalFields.conversionUrl', 'basicInfo'],
      ['banners.1.creativeName', 'bannerAds'],
    ])
  })

  it('errors of the form know their tab; Save & Next goes on to the last one that can be edited', () => {
    expect(tabOfField('banners.3.creativeName')).toBe('bannerAds')
    expect(tabOfField('targeting.fromAge')).toBe('targeting')
    expect(nextTab('basicInfo', everyone)).toBe('targeting')
    expect(nextTab('geography', everyone)).toBeNull()
    expect(nextTab('targeting', { ...everyone, audio: true })).toBe('tracks')
    expect(nextTab('administration', { ...everyone, readsOwnerFields: true })).toBe('advancedBidding')
  })
})
