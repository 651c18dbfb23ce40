import { describe, expect, it } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { campaignWith } from '@/test/campaign-form'
import { toForm, toPayload } from './form-mapping.ts'

const SENT: Partial<Campaign> = {
  name: 'Autumn',
  product_url: 'https://nile.example/autumn',
  budget: 40.5,
  campaign_start_at: '2027-01-09T22:00:00.000Z',
  campaign_end_at: '2027-02-09T21:59:59.000Z',
  bidding_strategy: {
    ...campaignWith({}).bidding_strategy,
    type: 'conversion',
    goal: 'WEB_STANDARD_CONVERSION',
    click_url: 'https://nile.example/autumn',
    website_promotion: {
      ...campaignWith({}).bidding_strategy.website_promotion,
      conversion_url: 'https://nile.example/thanks',
    },
  },
}
const stored = campaignWith({ ...SENT, country: 'EGY', timezone_offset_seconds: 7200 })

const keysOf = (node: unknown): readonly string[] =>
  typeof node !== 'object' || node === null
    ? []
    : Array.isArray(node)
      ? node.flatMap(keysOf)
      : Object.entries(node).flatMap(([key, child]) => [key, ...keysOf(child)])

describe('the mapping between the wire and the form', () => {
  it('the form shows what is stored, days as they are in the campaign’s own zone', () => {
    expect(toForm(stored)).toMatchObject({
      name: 'Autumn',
      productUrl: 'https://nile.example/autumn',
      budget: '40.5',
      startDate: '2027-01-10',
      endDate: '2027-02-09',
      goal: 'WEB_STANDARD_CONVERSION',
      goalFields: { conversionUrl: 'https://nile.example/thanks' },
    })
  })

  // covers CAM-ENT-02
  it('names of the form are in camel case, and those of the wire come back unchanged', () => {
    expect(keysOf(toForm(stored)).filter((key) => key.includes('_'))).toEqual([])
    expect(toPayload(toForm(stored), stored)).toMatchObject({ id: stored.id, revision: stored.revision, ...SENT })
  })

  it('a country that is set is not sent again', () => {
    expect(toPayload(toForm(stored), stored)).not.toHaveProperty('country')
    expect(toPayload({ ...toForm(stored), country: 'NGA' }, campaignWith({ country: null }))).toMatchObject({ country: 'NGA' })
  })
})
