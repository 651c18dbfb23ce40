import type { Campaign } from '#contract/campaign-body'
import { frequencySlice } from '@/features/campaigns/form/tabs/frequency/frequency-slice'
import { geographySlice } from '@/features/campaigns/form/tabs/geography/geography-slice'
import { placementSlice } from '@/features/campaigns/form/tabs/placement/placement-slice'
import { targetingSlice } from '@/features/campaigns/form/tabs/targeting/targeting-slice'

/** The form tabs that a moderator checks after the ads (audience, schedule, places), with the values of a new campaign. */
export const contentOf = (campaign: Campaign) => ({
  targeting: targetingSlice.fromCampaign(campaign),
  frequency: frequencySlice.fromCampaign(campaign),
  placement: placementSlice.fromCampaign(campaign),
  geography: geographySlice.fromCampaign(campaign),
})
export type FurtherContent = ReturnType<typeof contentOf>

const NEW: FurtherContent = {
  targeting: targetingSlice.empty('awareness'),
  frequency: frequencySlice.empty('awareness'),
  placement: placementSlice.empty('awareness'),
  geography: geographySlice.empty('awareness'),
}

/** True when a field of a section differs from a new campaign. */
export function differs(content: FurtherContent, section: keyof FurtherContent, field: string): boolean {
  const [ours, theirs]: readonly Readonly<Record<string, unknown>>[] = [content[section], NEW[section]]
  return JSON.stringify(ours?.[field]) !== JSON.stringify(theirs?.[field])
}
