import fc from 'fast-check'
import { get } from 'react-hook-form'
import { describe, it, expect } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { CONTENT_FIELDS } from '#domain/campaign/content/content'
import { ADMINISTRATION } from '#domain/campaign/content/fields/administration'
import { AUDIO_AD, BANNER, DYNAMIC_AD, NATIVE_AD, VIDEO_AD } from '#domain/campaign/content/fields/creatives'
import { FREQUENCY } from '#domain/campaign/content/fields/frequency'
import { PLACEMENT } from '#domain/campaign/content/fields/placement'
import { TARGETING } from '#domain/campaign/content/fields/targeting'
import { completeRecord, type Field, type Fields } from '#domain/kit/fields'
import { campaignWith } from '@/test/campaign-form'
import { fieldOfPath } from '../form-faults.ts'
import { toForm, toPayload } from '../form-mapping.ts'
import { frequencySlice } from '../tabs/frequency/frequency-slice.ts'
import { geographySlice } from '../tabs/geography/geography-slice.ts'
import { administrationSlice } from '../tabs/administration/administration-slice.ts'
import { nativeSlice } from '../tabs/native/native-slice.ts'
import { responsiveSlice } from '../tabs/responsive/responsive-slice.ts'
import { videoSlice } from '../tabs/video/video-slice.ts'
import type { FormSlice } from './slice.ts'
import { placementSlice } from '../tabs/placement/placement-slice.ts'
import { targetingSlice } from '../tabs/targeting/targeting-slice.ts'
import { FORM_PATHS, sliceFieldOf, slicesFrom } from './slices.ts'

/** Whatever a campaign came with, orders, repeats, odd spaces and what no screen offers included, goes back as it came. */

const text = fc.string({ maxLength: 12 })
const age = fc.integer({ min: 18, max: 65 })
const slots = fc.array(
  fc.integer({ min: 0, max: 23 }).map((hour) => String(hour).padStart(2, '0')),
  { maxLength: 24 },
)
/** Fields that the server does not let have any value of their type. */
const OWN: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  fromAge: age,
  toAge: age,
  call_to_action_color: fc.constantFrom('#65abf6', '#000000'),
  environment: fc.option(fc.constantFrom('app', 'web')),
  scheduling: fc.record(Object.fromEntries(['0', '1', '2', '3', '4', '5', '6'].map((day) => [day, slots]))),
}

/** Any value of a field. */
function anyOf(of: Field, key = ''): fc.Arbitrary<unknown> {
  const { shape, nullable } = of
  const own = OWN[key]
  if (own !== undefined) return own
  const some = ((): fc.Arbitrary<unknown> => {
    switch (shape.kind) {
      case 'text':
        return text
      case 'number':
        return fc.nat({ max: 999_999_999 })
      case 'flag':
        return fc.boolean()
      case 'list':
        return fc.array(anyOf(shape.item), { maxLength: 6 })
      case 'record':
        return anyRecord(shape.fields)
      case 'instant':
      case 'custom':
        throw new Error(`${key} needs values of its own`)
    }
  })()
  return nullable ? fc.option(some) : some
}
const anyRecord = (fields: Fields) =>
  fc.record(Object.fromEntries(Object.entries(fields).map(([key, of]) => [key, anyOf(of, key)])))

const fieldsWithout = (fields: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)))

const targeting = anyOf(TARGETING.targeting) as fc.Arbitrary<Campaign['targeting']>
const placement = anyOf(PLACEMENT.placement) as fc.Arbitrary<Campaign['placement']>
const frequency = anyRecord(FREQUENCY) as fc.Arbitrary<Partial<Campaign>>

describe('an untouched campaign', () => {
  it('an untouched campaign is sent as it was read in targeting and geography', () => {
    fc.assert(
      fc.property(targeting, (wire) => {
        const campaign = campaignWith({ targeting: wire })
        const who = targetingSlice.toInput(targetingSlice.fromCampaign(campaign), campaign).targeting
        const where = geographySlice.toInput(geographySlice.fromCampaign(campaign), campaign).targeting
        expect({ ...campaign.targeting, ...who, ...where }).toEqual(wire)
      }),
    )
  })

  it('an untouched campaign is sent as it was read in placements', () => {
    fc.assert(
      fc.property(placement, (wire) => {
        const campaign = campaignWith({ placement: wire })
        expect(placementSlice.toInput(placementSlice.fromCampaign(campaign), campaign)).toEqual({ placement: wire })
      }),
    )
  })

  it('an untouched campaign is sent as it was read in frequency and schedule', () => {
    fc.assert(
      fc.property(frequency, (wire) => {
        const campaign = campaignWith(wire)
        expect(frequencySlice.toInput(frequencySlice.fromCampaign(campaign), campaign)).toEqual(wire)
      }),
    )
  })
})

describe('the rest of an edited ad', () => {
  const decided = { creativeServingDecision: null, content_version: 1 }

  it.each([
    ['dynamic_ad', DYNAMIC_AD, responsiveSlice],
    ['native_ad', NATIVE_AD, nativeSlice],
    ['video_ad', VIDEO_AD, videoSlice],
  ] as const)('the rest of an edited ad is sent as it was read: %s', (key, fields, slice) => {
    fc.assert(
      fc.property(anyRecord(fields), (ad) => {
        const campaign = { ...campaignWith({}), [key]: { ...ad, ...decided, creative_name: 'before' } }
        const edited = { ...slice.fromCampaign(campaign), creativeName: 'after' }
        // The slice and its values belong together.
        const sent = (slice as FormSlice<typeof edited>).toInput(edited, campaign)
        expect(sent[key]).toEqual({ ...ad, creative_name: 'after' })
      }),
    )
  })

  it('owner fields of an edited campaign are sent as they were read', () => {
    fc.assert(
      fc.property(anyRecord(fieldsWithout(ADMINISTRATION, ['traffic_targeting', 't'])), (fields) => {
        const campaign = { ...campaignWith({}), ...fields, t: 1 } as Campaign
        const values = administrationSlice.fromCampaign(campaign)
        expect(administrationSlice.toInput({ ...values, t: '2' }, campaign)).toEqual({ t: 2 })
      }),
    )
  })
})

/** Set by the product or with another field, chosen before the form, or shown nowhere in it. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'timezone_offset_seconds',
  'budget_type_key',
  'campaign_type_key',
  'cpm',
  'bidding_strategy.is_retargeting',
  'bidding_strategy.is_auto_enhancement',
  'bidding_strategy.app_promotion.click_url',
  'bidding_strategy.app_promotion.metadata',
  'targeting_on',
  'targeting.ageRange',
  'has_whitelist',
  'dynamic_ad.id',
  'dynamic_ad.isManual',
  'native_ad.id',
  'video_ad.id',
  'audio_ad_enabled',
  'placard_tag_date',
])

/** Paths of fields that the form does not hold. */
const missingIn = (path: string, { shape }: Field): readonly string[] => {
  if (FORM_PATHS.has(path) || ELSEWHERE.has(path) || fieldOfPath(path, { banners: [] }) !== null) return []
  if (shape.kind !== 'record') return [path]
  return Object.entries(shape.fields).flatMap(([key, field]) => missingIn(`${path}.${key}`, field))
}

it('every field of a campaign is in the form, or known to be elsewhere', () => {
  expect(Object.entries(CONTENT_FIELDS).flatMap(([key, field]) => missingIn(key, field))).toEqual([])
})

describe('content that the form does not show', () => {
  const unknown = { from_a_newer_server: 'kept' }

  it.each(['placement', 'targeting'] as const)('content that the form does not show is kept in %s', (key) => {
    const plain = campaignWith({})
    const campaign = { ...plain, [key]: { ...plain[key], ...unknown } }
    const values = toForm(campaign)
    const edited = { ...values, placement: { ...values.placement, noGames: true }, targeting: { ...values.targeting, gender: 2 } }
    expect(toPayload(edited, campaign)[key]).toMatchObject(unknown)
  })

  it('content that the form does not show is kept in creatives', () => {
    const decided = { creativeServingDecision: null, content_version: 1 }
    const stored = {
      ...completeRecord(BANNER, { id: 'b', width: 300, height: 250, file_id: 'f', creative_name: 'a' }),
      ...decided,
    }
    const ad = { ...completeRecord(DYNAMIC_AD, { id: 'd', isManual: true }), ...decided }
    const plain = campaignWith({})
    const campaign = {
      ...plain,
      visuals: { banners: [{ ...stored, ...unknown }] },
      dynamic_ad: { ...ad, ...unknown },
      audio_ads: [{ ...completeRecord(AUDIO_AD, { id: 't', fileId: 'f' }), ...decided, ...unknown }],
    } as unknown as Campaign
    const values = toForm(campaign)
    const sent = toPayload(
      {
        ...values,
        banners: values.banners.map((banner) => ({ ...banner, creativeName: 'b' })),
        responsive: { ...values.responsive, companyName: 'Nile' },
        tracks: { tracks: values.tracks.tracks.map((track) => ({ ...track, name: 'a' })) },
      },
      campaign,
    )
    expect(sent.visuals?.banners?.[0]).toMatchObject({ ...unknown, id: 'b', creative_name: 'b' })
    expect(sent.dynamic_ad).toMatchObject({ ...unknown, id: 'd', isManual: true, company_name: 'Nile' })
    expect(sent.audio_ads?.[0]).toMatchObject({ ...unknown, id: 't', name: 'a' })
    for (const creative of [sent.visuals?.banners?.[0], sent.dynamic_ad, sent.audio_ads?.[0]])
      expect(creative).not.toHaveProperty('creativeServingDecision')
  })

  it('content that the form does not show is kept in the strategy', () => {
    const { bidding_strategy: strategy, ...plain } = campaignWith({})
    const app_promotion = { ...strategy.app_promotion, ...unknown }
    const website_promotion = { ...strategy.website_promotion, ...unknown }
    const campaign = { ...plain, bidding_strategy: { ...strategy, app_promotion, website_promotion, ...unknown } }
    const sent = toPayload({ ...toForm(campaign), productUrl: 'https://other.example' }, campaign).bidding_strategy
    expect(sent).toMatchObject({ ...unknown, app_promotion: unknown, website_promotion: unknown })
  })
})

describe('the field of a fault', () => {
  const campaign = campaignWith({})
  const values = slicesFrom(campaign)
  const caps = ['1', '2', '3'].map((period) => `frequency_cap.${period}`)
  const paths = [
    ...Object.keys(campaign.targeting).map((key) => `targeting.${key}[2]`),
    ...Object.keys(campaign.placement).map((key) => `placement.${key}[2]`),
    ...caps,
    'frequency_cap',
    'scheduling.3[2]',
    'freq_and_scheduling_on',
  ]
  it.each(paths)('a fault at %s is led to a field that is there', (path) => {
    const field = sliceFieldOf(path, values)
    expect(field).toMatch(/\./)
    expect(get(values, field ?? '')).toBeDefined()
  })
})
