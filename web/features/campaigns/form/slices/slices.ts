import { z } from '#contract/zod'
import type { Campaign, CampaignInput } from '#contract/campaign-body'
import type { CampaignType } from '#domain/campaign/content/options'
import type { FormSlice } from './slice.ts'
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

const SLICES = {
  administration: administrationSlice,
  bidding: biddingSlice,
  setup: setupSlice,
  targeting: targetingSlice,
  geography: geographySlice,
  responsive: responsiveSlice,
  native: nativeSlice,
  video: videoSlice,
  tracks: tracksSlice,
  frequency: frequencySlice,
  placement: placementSlice,
}
export type SliceName = keyof typeof SLICES
export type SliceValues = { [Name in SliceName]: z.infer<(typeof SLICES)[Name]['schema']> }
type SliceSchemas = { readonly [Name in SliceName]: (typeof SLICES)[Name]['schema'] }

const ALL = Object.entries(SLICES) as unknown as readonly (readonly [SliceName, FormSlice<unknown>])[]
const each = (valueOf: (slice: FormSlice<unknown>) => unknown) =>
  Object.fromEntries(ALL.map(([name, slice]) => [name, valueOf(slice)]))

export const sliceSchema = z.object(each(({ schema }) => schema) as unknown as SliceSchemas)
export const emptySlices = (type: CampaignType) => each((slice) => slice.empty(type)) as SliceValues
export const slicesFrom = (campaign: Campaign) => each((slice) => slice.fromCampaign(campaign)) as SliceValues

/** Returns the payload of all slices. Targeting and geography are two tabs of one key. */
export function slicesInput(values: SliceValues, campaign: Campaign | null): Partial<CampaignInput> {
  const inputs = ALL.map(([name, slice]) => slice.toInput(values[name], campaign))
  const targeting = Object.assign({}, ...inputs.map((input) => input.targeting)) as CampaignInput['targeting']
  return { ...(Object.assign({}, ...inputs) as Partial<CampaignInput>), targeting }
}

/** Returns the form field of a wire path, from the slice that contains it; null when none does. */
export function sliceFieldOf(path: string, values: SliceValues): string | null {
  for (const [name, slice] of ALL) {
    const field = slice.fieldOf(path, values[name])
    if (field !== null) return field === '' ? name : `${name}.${field}`
  }
  return null
}

/** Form fields by the wire path whose value they hold. */
export const FORM_PATHS: ReadonlyMap<string, string> = new Map(
  ALL.flatMap(([name, { paths }]) => [...paths].map(([path, field]) => [path, `${name}.${field}`] as const)),
)
