import type { Campaign } from '../../../../api/contract/campaign-body.ts'
import { frequencySlice } from '@/features/campaigns/form/tabs/frequency/frequency-slice'
import { geographySlice } from '@/features/campaigns/form/tabs/geography/geography-slice'
import { placementSlice } from '@/features/campaigns/form/tabs/placement/placement-slice'
import { targetingSlice } from '@/features/campaigns/form/tabs/targeting/targeting-slice'

/** Whom, when and where: the tabs of the form that a moderator reads after the ads, and what a new campaign has there. */
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

/** True when a field of a section is not what it is in a new campaign. */
export function differs(content: FurtherContent, section: keyof FurtherContent, field: string): boolean {
  const [ours, theirs]: readonly Readonly<Record<string, unknown>>[] = [content[section], NEW[section]]
  return JSON.stringify(ours?.[field]) !== JSON.stringify(theirs?.[field])
}
