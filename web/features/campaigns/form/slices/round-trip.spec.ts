import fc from 'fast-check'
import { get } from 'react-hook-form'
import { describe, it, expect } from 'vitest'
import { campaignWith } from '@/test/campaign-form'
import { frequencySlice } from '../tabs/frequency/frequency-slice.ts'
import { geographySlice } from '../tabs/geography/geography-slice.ts'
import { placementSlice } from '../tabs/placement/placement-slice.ts'
import { targetingSlice } from '../tabs/targeting/targeting-slice.ts'
import { sliceFieldOf, slicesFrom } from './slices.ts'

/** Whatever a campaign came with, orders, repeats, odd spaces and what no screen offers included, goes back as it came. */

const text = fc.string({ maxLength: 12 })
const keys = fc.array(text, { maxLength: 6 })
const selection = fc.record({ includeAny: keys, include: keys, exclude: keys })
const age = fc.integer({ min: 18, max: 65 })

const targeting = fc.record({
  fromAge: age,
  toAge: age,
  ageRange: fc.array(age, { maxLength: 3 }),
  interests: selection,
  apps: selection,
  segment_audiences: selection,
  city_ids: keys,
  gender: fc.integer({ min: 1, max: 3 }),
  similarity: fc.integer({ min: 0, max: 3 }),
  target_languages: keys,
  regions: keys,
  connection_types: keys,
  customer_attributes: keys,
  automaticTargeting: fc.boolean(),
})
const placement = fc.record({
  min_os_version: fc.option(text),
  excluded_apps: keys,
  included_apps: keys,
  device_type_key: fc.constantFrom(1, 3, 4),
  environment: fc.option(fc.constantFrom('app', 'web')),
  excluded_all_games: fc.boolean(),
  exclude_non_gambling_publishers: fc.boolean(),
  included_app_category_ids: keys,
  excluded_app_category_ids: keys,
  excluded_game_category_ids: keys,
  languages: keys,
})
const slots = fc.array(
  fc.integer({ min: 0, max: 23 }).map((hour) => String(hour).padStart(2, '0')),
  { maxLength: 24 },
)
const scheduling = fc.record({ '0': slots, '1': slots, '2': slots, '3': slots, '4': slots, '5': slots, '6': slots })
const cap = fc.option(fc.nat({ max: 999_999_999 }))
const frequency = fc.record({
  freq_and_scheduling_on: fc.boolean(),
  frequency_cap: fc.record({ '1': cap, '2': cap, '3': cap }),
  scheduling,
})

describe('untouched, a campaign is sent as it was read', () => {
  it('in targeting and geography', () => {
    fc.assert(
      fc.property(targeting, (wire) => {
        const campaign = campaignWith({ targeting: wire })
        const who = targetingSlice.toInput(targetingSlice.fromCampaign(campaign), campaign).targeting
        const where = geographySlice.toInput(geographySlice.fromCampaign(campaign), campaign).targeting
        expect({ ...campaign.targeting, ...who, ...where }).toEqual(wire)
      }),
    )
  })

  it('in placements', () => {
    fc.assert(
      fc.property(placement, (wire) => {
        const campaign = campaignWith({ placement: wire })
        expect(placementSlice.toInput(placementSlice.fromCampaign(campaign), campaign)).toEqual({ placement: wire })
      }),
    )
  })

  it('in frequency and schedule', () => {
    fc.assert(
      fc.property(frequency, (wire) => {
        const campaign = campaignWith(wire)
        expect(frequencySlice.toInput(frequencySlice.fromCampaign(campaign), campaign)).toEqual(wire)
      }),
    )
  })
})

describe('a fault is led to a field that is there', () => {
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
  it.each(paths)('from %s', (path) => {
    const field = sliceFieldOf(path, values)
    expect(field).toMatch(/\./)
    expect(get(values, field ?? '')).toBeDefined()
  })
})
