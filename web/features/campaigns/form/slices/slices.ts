import { z } from '#contract/zod'
import type { Campaign, CampaignInput } from '#contract/campaign-body'
import type { CampaignType } from '#domain/campaign/content/options'
import { administrationSlice } from '../tabs/administration/administration-slice.ts'
import { biddingSlice } from '../tabs/bidding/bidding-slice.ts'
import { frequencySlice } from '../tabs/frequency/frequency-slice.ts'
import { geographySlice } from '../tabs/geography/geography-slice.ts'
import { nativeSlice } from '../tabs/native/native-slice.ts'
import { placementSlice } from '../tabs/placement/placement-slice.ts'
import { responsiveSlice } from '../tabs/responsive/responsive-slice.ts'
import { setupSlice } from '../tabs/setup/setup-slice.ts'
import { targetingSlice } from '../tabs/targeting/targeting-slice.ts'
import { tracksSlice } from '../tabs/tracks/tracks-slice.ts'
import { videoSlice } from '../tabs/video/video-slice.ts'

export const sliceSchema = z.object({
  administration: administrationSlice.schema,
  bidding: biddingSlice.schema,
  setup: setupSlice.schema,
  targeting: targetingSlice.schema,
  geography: geographySlice.schema,
  responsive: responsiveSlice.schema,
  native: nativeSlice.schema,
  video: videoSlice.schema,
  tracks: tracksSlice.schema,
  frequency: frequencySlice.schema,
  placement: placementSlice.schema,
})
export type SliceValues = z.infer<typeof sliceSchema>
export type SliceName = keyof SliceValues

export const emptySlices = (type: CampaignType): SliceValues => ({
  administration: administrationSlice.empty(type),
  bidding: biddingSlice.empty(type),
  setup: setupSlice.empty(type),
  targeting: targetingSlice.empty(type),
  geography: geographySlice.empty(type),
  responsive: responsiveSlice.empty(type),
  native: nativeSlice.empty(type),
  video: videoSlice.empty(type),
  tracks: tracksSlice.empty(type),
  frequency: frequencySlice.empty(type),
  placement: placementSlice.empty(type),
})

export const slicesFrom = (campaign: Campaign): SliceValues => ({
  administration: administrationSlice.fromCampaign(campaign),
  bidding: biddingSlice.fromCampaign(campaign),
  setup: setupSlice.fromCampaign(campaign),
  targeting: targetingSlice.fromCampaign(campaign),
  geography: geographySlice.fromCampaign(campaign),
  responsive: responsiveSlice.fromCampaign(campaign),
  native: nativeSlice.fromCampaign(campaign),
  video: videoSlice.fromCampaign(campaign),
  tracks: tracksSlice.fromCampaign(campaign),
  frequency: frequencySlice.fromCampaign(campaign),
  placement: placementSlice.fromCampaign(campaign),
})

/** Returns the payload of all slices. Targeting and geography are two tabs of one key. */
export function slicesInput(values: SliceValues, campaign: Campaign | null): Partial<CampaignInput> {
  const { targeting: who, ...more } = targetingSlice.toInput(values.targeting, campaign)
  const { targeting: where } = geographySlice.toInput(values.geography, campaign)
  return {
    ...administrationSlice.toInput(values.administration, campaign),
    ...biddingSlice.toInput(values.bidding, campaign),
    ...setupSlice.toInput(values.setup, campaign),
    ...more,
    ...(who || where ? { targeting: { ...campaign?.targeting, ...who, ...where } } : {}),
    ...responsiveSlice.toInput(values.responsive, campaign),
    ...nativeSlice.toInput(values.native, campaign),
    ...videoSlice.toInput(values.video, campaign),
    ...tracksSlice.toInput(values.tracks, campaign),
    ...frequencySlice.toInput(values.frequency, campaign),
    ...placementSlice.toInput(values.placement, campaign),
  }
}

/** Returns the form field of a wire path, from the slice that contains it; null when none does. */
export function sliceFieldOf(path: string, values: SliceValues): string | null {
  const found: readonly (readonly [SliceName, string | null])[] = [
    ['administration', administrationSlice.fieldOf(path, values.administration)],
    ['bidding', biddingSlice.fieldOf(path, values.bidding)],
    ['setup', setupSlice.fieldOf(path, values.setup)],
    ['geography', geographySlice.fieldOf(path, values.geography)],
    ['targeting', targetingSlice.fieldOf(path, values.targeting)],
    ['responsive', responsiveSlice.fieldOf(path, values.responsive)],
    ['native', nativeSlice.fieldOf(path, values.native)],
    ['video', videoSlice.fieldOf(path, values.video)],
    ['tracks', tracksSlice.fieldOf(path, values.tracks)],
    ['frequency', frequencySlice.fieldOf(path, values.frequency)],
    ['placement', placementSlice.fieldOf(path, values.placement)],
  ]
  for (const [slice, field] of found) if (field !== null) return field === '' ? slice : `${slice}.${field}`
  return null
}
